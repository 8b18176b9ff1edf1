import { expect } from 'chai';
import fc from 'fast-check';
import { sha256Digest } from '../../adapters/node/system.ts';
import type { Visitor } from '../../core/shares/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { filesOf } from './transfer-world.ts';
import { openWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PAGE = { limit: 100, offset: 0 };
const somebody: Visitor = { address: '192.0.2.1', counts: true };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

for (const [name, open] of backends)
  describe(`${name}: shares`, () => {
    let backend: Backend;
    let world: World;
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(async () => {
      world = await openWorld(backend, `shares-${name}-${process.pid}-${Math.random()}`);
    });

    let folders = 0;
    const newFolder = async (): Promise<string> =>
      (await world.core.library.createCollection(world.caller, { name: `Folder ${++folders}` }))
        .collection.id;
    const newFile = async (filename: string, collectionId?: string): Promise<string> => {
      const [added] = await world.core.objects.addFiles(
        world.caller,
        [await world.file(filename, `of ${filename}`)],
        collectionId === undefined ? {} : { collectionId },
      );
      return added?.object.id ?? '';
    };
    const share = async (over: object = {}) => {
      const resourceId = await newFolder();
      const { share: made, token } = await world.core.shares.createShare(world.caller, {
        kind: 'folder',
        resourceId,
        role: 'viewer',
        name: '',
        ...over,
      });
      return { id: made.id, token: token ?? '', resourceId, digest: made.digest };
    };
    const visit = (token: string, visitor = somebody) =>
      world.core.shares.visitShare(visitor, token, PAGE);
    const unlock = (token: string, password: string, visitor = somebody) =>
      world.core.shares.unlockShare(visitor, token, password);
    const news = async () =>
      (
        await world.core.notifications.listNotifications(world.caller, {
          unreadOnly: false,
          ...PAGE,
        })
      ).items;

    it('keep neither token, password nor access', async () => {
      const { id, token } = await share({ password: 'pass word' });
      const { access } = await unlock(token, 'pass word');
      const row = JSON.stringify(
        await backend.uow.read(world.caller.scope, ({ shares }) => shares.find(id)),
      );
      expect(token).to.have.length(43);
      for (const secret of [token, 'pass word', access]) expect(row).not.to.include(secret);
      const held = await backend.uow.read(world.caller.scope, ({ shares }) =>
        shares.findAccess(id, access),
      );
      expect(held).to.equal(undefined);
    });

    it('end to the millisecond, and an end can be moved', async () => {
      const { id, token } = await share({ expiresInDays: 2 });
      const began = world.now;
      world.now = began + 2 * DAY_MS - 1;
      expect(await codeOf(visit(token))).to.equal('ok');
      world.now += 1;
      const { shares } = world.core;
      for (const ended of [
        () => visit(token),
        () => unlock(token, 'x'),
        () => shares.readShared(somebody, token, id),
        () => shares.lookAtShared(somebody, token, id),
        () => shares.readSharedThumbnail(somebody, token, id, 128),
        () => shares.archiveShared(somebody, token),
        () => shares.hostOfUpload(somebody, token),
        () => shares.shareContents(world.caller, id, PAGE),
      ])
        expect(await codeOf(ended())).to.equal('not_found');
      expect((await world.core.shares.getShare(world.caller, id)).share.accessCount).to.equal(1);
      await world.core.shares.editShare(world.caller, id, { expiresInDays: 1 });
      world.now += DAY_MS - 1;
      expect(await codeOf(visit(token))).to.equal('ok');
      await world.core.shares.editShare(world.caller, id, { expiresInDays: null });
      world.now += 900 * DAY_MS;
      expect(await codeOf(visit(token))).to.equal('ok');
    });

    it('take never more than five wrong passwords of one visitor in any 15 minutes, and lock out no longer than that', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              afterMs: fc.integer({ min: 0, max: 6 * MINUTE_MS }),
              right: fc.boolean(),
              who: fc.constantFrom('192.0.2.1', '192.0.2.2'),
            }),
            { minLength: 1, maxLength: 30 },
          ),
          async (tries) => {
            const { token } = await share({ password: 'right' });
            const wrong: { readonly at: number; readonly who: string }[] = [];
            for (const { afterMs, right, who } of tries) {
              world.now += afterMs;
              const recent = wrong.filter(
                (each) => each.who === who && each.at > world.now - 15 * MINUTE_MS,
              );
              const answer = await unlock(token, right ? 'right' : 'wrong', {
                ...somebody,
                address: who,
              }).then(
                () => 'ok',
                (error: unknown) => error as DomainError,
              );
              if (recent.length >= 5) {
                const first = recent[0]?.at ?? 0;
                const { code, retryAfter } = answer as DomainError;
                expect([code, retryAfter]).to.deep.equal([
                  'rate_limited',
                  Math.ceil((first + 15 * MINUTE_MS - world.now) / 1_000),
                ]);
              } else if (right) expect(answer).to.equal('ok');
              else {
                expect((answer as DomainError).code).to.equal('wrong_password');
                wrong.push({ at: world.now, who });
              }
            }
          },
        ),
        { numRuns: name === 'memory' ? 60 : 8 },
      ));

    it('take the addresses of one network of IPv6 for one visitor', async () => {
      const { token } = await share({ password: 'right' });
      const from = (address: string) => codeOf(unlock(token, 'wrong', { ...somebody, address }));
      const one = [
        '2001:db8:0:1::1',
        '2001:DB8:0:1:ffff::',
        '2001:0db8::1:0:0:0:7',
        '2001:db8:0:0001:1:2:3:4',
        '2001:db8:0:1::',
      ];
      for (const address of one) expect(await from(address), address).to.equal('wrong_password');
      expect(await from('2001:db8:0:1::99')).to.equal('rate_limited');
      expect(await from('2001:db8:0:2::1')).to.equal('wrong_password');
      for (let i = 0; i < 5; i++)
        expect(await from(i % 2 ? '192.0.2.5' : '::ffff:192.0.2.5')).to.equal('wrong_password');
      expect(await from('192.0.2.5')).to.equal('rate_limited');
      expect(await from('192.0.2.6')).to.equal('wrong_password');
    });

    it('forget who tried and who unlocked once it does not count any more', async () => {
      const { id, token } = await share({ password: 'right' });
      await codeOf(unlock(token, 'wrong'));
      const before = await backend.uow.read(world.caller.scope, ({ shares }) =>
        shares.tries(id, sha256Digest.digest(`${id} ${somebody.address}`)),
      );
      expect(before).to.have.length(1);
      const { access, expiresIn } = await unlock(token, 'right');
      const visitor = { ...somebody, access };
      world.now += expiresIn * 1_000 - 1;
      expect((await visit(token, visitor)).unlocked).to.equal(true);
      world.now += 1;
      expect((await visit(token, visitor)).unlocked).to.equal(false);
      world.now += 1;
      await codeOf(unlock(token, 'wrong', { ...somebody, address: '192.0.2.9' }));
      const kept = await backend.uow.read(world.caller.scope, async ({ shares }) => [
        await shares.findAccess(id, sha256Digest.digest(access)),
        await shares.tries(id, sha256Digest.digest(`${id} ${somebody.address}`)),
        (await shares.tries(id, sha256Digest.digest(`${id} 192.0.2.9`))).length,
      ]);
      expect(kept).to.deep.equal([undefined, [], 1]);
    });

    it('do not open with a password that was changed while it was compared', async () => {
      const { id, token } = await share({ password: 'old' });
      const racing = unlock(token, 'old');
      // The comparison has begun at the latest when the new password stands.
      await world.core.shares.editShare(world.caller, id, { password: 'new' });
      const outcome = await racing.then(
        ({ access }) => access,
        (error: unknown) => error as DomainError,
      );
      const opened =
        typeof outcome === 'string' &&
        (await visit(token, { ...somebody, access: outcome })).unlocked;
      expect(opened).to.equal(false);
      expect(await codeOf(unlock(token, 'old'))).to.equal('wrong_password');
      expect(await codeOf(unlock(token, 'new'))).to.equal('ok');
    });

    it('tell of the first visit once, and hide what they told with what it tells of', async () => {
      const objectId = await newFile('a.txt');
      const { id, token } = await share({ kind: 'file', resourceId: objectId, name: 'Mine' });
      await world.core.shares.visitShare({ ...somebody, counts: false }, token, PAGE);
      expect((await news()).filter(({ kind }) => kind === 'share.opened')).to.have.length(0);
      await Promise.all(Array.from({ length: 5 }, () => visit(token)));
      const opened = (await news()).filter(({ kind }) => kind === 'share.opened');
      expect(opened.map(({ payload }) => payload)).to.deep.equal([
        { share_id: id, object_id: objectId },
      ]);
      expect(opened[0]?.body).to.include('Mine');
      await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      await world.core.objects.editObject(world.caller, objectId, { isHidden: true });
      expect((await news()).filter(({ kind }) => kind === 'share.opened')).to.have.length(0);
    });

    it('of a folder show exactly its visible objects, by list, by id and in the archive', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              inside: fc.boolean(),
              hidden: fc.boolean(),
              fate: fc.constantFrom('stays', 'trash', 'erase', 'leaves'),
            }),
            { maxLength: 8 },
          ),
          async (objects) => {
            const { token, id, resourceId } = await share();
            const shown: string[] = [];
            const ids: string[] = [];
            for (const [i, { inside, hidden, fate }] of objects.entries()) {
              world.now += 1;
              const objectId = await newFile(`${i}.pdf`, inside ? resourceId : undefined);
              const { objects: use } = world.core;
              if (hidden) await use.editObject(world.caller, objectId, { isHidden: true });
              if (fate === 'leaves') await use.moveObject(world.caller, objectId, null);
              if (fate === 'trash' || fate === 'erase')
                await use.deleteObject(world.caller, objectId, fate === 'erase');
              ids.push(objectId);
              if (inside && !hidden && fate === 'stays') shown.unshift(objectId);
            }
            const seen = await visit(token);
            expect(seen.items.map((each) => each.id)).to.deep.equal(shown);
            expect(seen.total).to.equal(shown.length);
            const owners = await world.core.shares.shareContents(world.caller, id, PAGE);
            expect(owners.items).to.deep.equal(seen.items);
            const { shares } = world.core;
            for (const objectId of ids)
              for (const ask of [
                () => shares.readShared(somebody, token, objectId),
                () => shares.lookAtShared(somebody, token, objectId),
                () => shares.readSharedThumbnail(somebody, token, objectId, 128),
              ])
                expect(await codeOf(ask())).to.equal(shown.includes(objectId) ? 'ok' : 'not_found');
            const file = await world.core.shares.archiveShared(somebody, token);
            const chunks: Uint8Array[] = [];
            for await (const chunk of file.bytes()) chunks.push(chunk);
            const names = [...(await filesOf(Buffer.concat(chunks))).keys()];
            expect(names).to.deep.equal(shown.map((each) => `${ids.indexOf(each)}.pdf`));
          },
        ),
        { numRuns: name === 'memory' ? 40 : 6 },
      ));

    it('end an archive under way once they are over, and leave out what went elsewhere', async () => {
      const { token, id, resourceId } = await share();
      const [first, second] = [
        await newFile('1.txt', resourceId),
        await newFile('2.txt', resourceId),
      ];
      const begin = async () => {
        const file = await world.core.shares.archiveShared(somebody, token);
        const bytes = file.bytes()[Symbol.asyncIterator]();
        const head = await bytes.next();
        return { bytes, head: head.value as Uint8Array };
      };
      const rest = async ({ bytes, head }: Awaited<ReturnType<typeof begin>>) => {
        const chunks = [head];
        for (let next = await bytes.next(); !next.done; next = await bytes.next())
          chunks.push(next.value);
        return Buffer.concat(chunks);
      };
      const moved = await begin();
      await world.core.objects.moveObject(world.caller, first, null);
      expect([...(await filesOf(await rest(moved))).keys()]).to.deep.equal(['2.txt']);
      await world.core.objects.moveObject(world.caller, first, resourceId);
      const revoked = await begin();
      await world.core.shares.revokeShare(world.caller, id);
      expect(await codeOf(rest(revoked))).to.equal('not_found');
      expect(second).not.to.equal(first);
    });

    it('tell of a text what the bytes say: no correction, nothing of an earlier version, no more than its beginning', async () => {
      const { token, resourceId } = await share();
      const id = await newFile('said.txt', resourceId);
      const look = async () => {
        const { text, textComplete, textAwaited } = await world.core.shares.lookAtShared(
          somebody,
          token,
          id,
        );
        return [text, textComplete, textAwaited];
      };
      expect(await look()).to.deep.equal([null, true, true]);
      await world.settle();
      expect(await look()).to.deep.equal(['of said.txt', true, false]);
      const correction = { text: 'private', baseVersion: 1 };
      await world.core.processing.correctText(world.caller, id, correction);
      expect(await look()).to.deep.equal(['of said.txt', true, false]);
      // An astral character on the very edge is left out, not cut in two.
      const content = `${'x'.repeat(65_535)}🦊 and so on`;
      await world.core.objects.saveText(world.caller, id, { content, baseVersion: 1 });
      expect(await look()).to.deep.equal([null, true, true]);
      await world.settle();
      expect(await look()).to.deep.equal(['x'.repeat(65_535), false, false]);
    });

    it('make a small picture once for all visitors, and none of a link', async () => {
      const { token, resourceId } = await share();
      const id = await newFile('a.pdf', resourceId);
      const { shares, objects } = world.core;
      const before = world.rendered.times;
      const ask = () => shares.readSharedThumbnail(somebody, token, id, 128);
      const [one, other] = await Promise.all([ask(), ask()]);
      expect(one?.sha256).to.equal(other?.sha256);
      expect((await ask()).mime).to.equal('image/webp');
      expect(world.rendered.times - before).to.equal(1);
      const link = await objects.addLink(world.caller, {
        url: 'http://pictured.example/',
        collectionId: resourceId,
      });
      const of = link.object.id;
      expect(await codeOf(shares.readSharedThumbnail(somebody, token, of, 128))).to.equal(
        'unsupported_type',
      );
      expect((await shares.lookAtShared(somebody, token, of)).text).to.equal(
        'http://pictured.example/',
      );
    });

    it('name in an archive the files whose bytes are lost', async () => {
      const { token, resourceId } = await share();
      const lost = await newFile('lost.txt', resourceId);
      await newFile('kept.txt', resourceId);
      const { object } = await world.core.objects.getObject(world.caller, lost);
      await world.blobs.remove(object.blobId);
      const file = await world.core.shares.archiveShared(somebody, token);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.bytes()) chunks.push(chunk);
      const files = await filesOf(Buffer.concat(chunks));
      expect([...files.keys()]).to.have.members(['kept.txt', 'left out.txt']);
      expect(files.get('left out.txt')).to.include('lost.txt');
    });

    it('take no file once they are over, or their visitor is locked out', async () => {
      const { token, id } = await share({ role: 'contributor' });
      const host = await world.core.shares.hostOfUpload(somebody, token);
      const { limits, scope } = world.caller;
      expect(host).to.deep.equal({ shareId: id, scope, limits });
      const upload = async (text: string) =>
        codeOf(world.core.shares.uploadShared(somebody, host, [await world.file('up.txt', text)]));
      expect(await upload('1')).to.equal('ok');
      await world.core.shares.editShare(world.caller, id, { role: 'viewer' });
      expect(await upload('2')).to.equal('forbidden');
      await world.core.shares.editShare(world.caller, id, { role: 'contributor', password: 'x' });
      expect(await upload('3')).to.equal('password_required');
      await world.core.shares.revokeShare(world.caller, id);
      expect(await upload('4')).to.equal('not_found');
      const { total } = await world.core.objects.listObjects(world.caller, {}, PAGE);
      expect(total).to.equal(1);
      const kept: string[] = [];
      for await (const { blobId } of world.blobs.list()) kept.push(blobId);
      expect(kept).to.have.length(1);
    });
  });
