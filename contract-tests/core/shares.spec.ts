import { expect } from 'chai';
import fc from 'fast-check';
import { sha256Digest } from '../../adapters/node/system.ts';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import type { ReceivedFile } from '../../core/objects/index.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { RoleLimits } from '../../ports/identity.ts';
import type { Timer } from '../../ports/runtime.ts';
import type { Visitor } from '../../core/shares/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { filesOf } from './transfer-fixture.ts';
import { openCoreFixture, quickHash, type CoreFixture } from './core-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PAGE = { limit: 100, offset: 0 };
const anyVisitor: Visitor = { address: '192.0.2.1', counts: true };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

async function* inPieces(text: string): AsyncIterable<Uint8Array> {
  const length = Math.ceil(text.length / 50);
  for (let at = 0; at < text.length; at += length)
    yield await Promise.resolve(Buffer.from(text.slice(at, at + length)));
}

for (const [name, open] of backends)
  describe(`${name}: shares`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `shares-${name}-${process.pid}-${Math.random()}`);
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
      const { share: created, token } = await world.core.shares.createShare(world.caller, {
        kind: 'folder',
        resourceId,
        role: 'viewer',
        name: '',
        ...over,
      });
      return { id: created.id, token: token ?? '', resourceId, digest: created.digest };
    };
    const visit = (token: string, visitor = anyVisitor) =>
      world.core.shares.visitShare(visitor, token, PAGE);
    const unlock = (token: string, password: string, visitor = anyVisitor) =>
      world.core.shares.unlockShare(visitor, token, password);
    const event = async () =>
      (
        await world.core.notifications.listNotifications(world.caller, {
          unreadOnly: false,
          ...PAGE,
        })
      ).items;

    it('store neither token, password nor access in plain text', async () => {
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

    it('expire to the millisecond, and the expiry can be changed', async () => {
      const { id, token } = await share({ expiresInDays: 2 });
      const began = world.now;
      world.now = began + 2 * DAY_MS - 1;
      expect(await codeOf(visit(token))).to.equal('ok');
      world.now += 1;
      const { shares } = world.core;
      for (const ended of [
        () => visit(token),
        () => unlock(token, 'x'),
        () => shares.readShared(anyVisitor, token, id),
        () => shares.previewShared(anyVisitor, token, id),
        () => shares.readSharedThumbnail(anyVisitor, token, id, 128),
        () => shares.archiveShared(anyVisitor, token),
        () => shares.uploadTarget(anyVisitor, token),
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

    it('accept at most five wrong passwords of one visitor in any 15 minutes, and lock out no longer than that', () =>
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
                ...anyVisitor,
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

    it('treat the addresses of one IPv6 network as one visitor', async () => {
      const { token } = await share({ password: 'right' });
      const from = (address: string) => codeOf(unlock(token, 'wrong', { ...anyVisitor, address }));
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

    describe('guesses from many networks', () => {
      const SLOW_MS = 3_000;
      const from = (i: number): Visitor => ({
        ...anyVisitor,
        // Each in a /24 of its own.
        address: `10.${i >> 8}.${i & 255}.7`,
      });
      const outcome = (token: string, password: string, visitor: Visitor) =>
        unlock(token, password, visitor).then(
          () => ({ code: 'ok', wait: 0 }),
          (error: unknown) => {
            const { code, retryAfter = 0 } = error as DomainError;
            return { code, wait: retryAfter };
          },
        );
      /** Wrong passwords until the share checks one attempt at a time; the last network was `next - 1`. */
      const exhaust = async (token: string): Promise<number> => {
        for (let i = 0; i < 50; i++)
          expect((await outcome(token, 'wrong', from(i))).code).to.equal('wrong_password');
        return 50;
      };

      it('are checked one every three seconds after fifty wrong ones, and no network is forgotten', async () => {
        const { token } = await share({ password: 'right' });
        let [judged, next] = [0, 0];
        // A network whose own five attempts are used up stays locked, however many follow.
        for (let i = 0; i < 5; i++) await outcome(token, 'wrong', anyVisitor);
        for (let second = 0; second < 60; second++) {
          for (let i = 0; i < 20; i++)
            if ((await outcome(token, 'wrong', from(next++))).code === 'wrong_password') judged++;
          world.now += 1_000;
        }
        expect(next).to.equal(1_200);
        expect(judged).to.be.at.most(45 + 60_000 / SLOW_MS + 1);
        expect(await outcome(token, 'right', anyVisitor)).to.deep.equal({
          code: 'rate_limited',
          wait: 15 * 60 - 60,
        });
        const rows = await backend.uow.read(world.caller.scope, async ({ shares }) => {
          const { items } = await shares.page({ sight: 'any' }, PAGE);
          const { id = '' } = items[0] ?? {};
          let found = 0;
          for (let i = 0; i < next; i++)
            if (await shares.attempts(id, sha256Digest.digest(`${id} ${from(i).address}`))) found++;
          return found;
        });
        // 50 checked, and a reservation for every three seconds of half a minute plus the elapsed time.
        expect(rows).to.be.at.most(50 + (30_000 + 60_000) / SLOW_MS + 1);
      }).timeout(60_000);

      it('leave a reserved attempt to a visitor who knows the password and waits as long as required', async () => {
        const { token } = await share({ password: 'right' });
        let next = await exhaust(token);
        for (let i = 0; i < 7; i++) await outcome(token, 'wrong', from(next++));
        const visitor = { ...anyVisitor, address: '203.0.113.9' };
        const first = await outcome(token, 'right', visitor);
        expect(first.code).to.equal('rate_limited');
        expect(first.wait).to.be.within(1, 30);
        // Repeated requests in between have no effect.
        expect(await outcome(token, 'right', visitor)).to.deep.equal(first);
        for (let second = 0; second < first.wait; second++) {
          for (let i = 0; i < 5; i++) await outcome(token, 'wrong', from(next++));
          world.now += 1_000;
        }
        for (let i = 0; i < 5; i++) await outcome(token, 'wrong', from(next++));
        expect((await outcome(token, 'right', visitor)).code).to.equal('ok');
      });

      const ROTATING: readonly (readonly [string, (i: number) => string])[] = [
        ['IPv6 /48', (i) => `2001:db8:7:${i.toString(16)}::1`],
        ['IPv4 /24', (i) => `198.51.100.${i & 255}`],
      ];
      for (const [kind, addressOf] of ROTATING)
        it(`from all addresses of one ${kind} keep no other visitor out`, async () => {
          const { token } = await share({ password: 'right' });
          const visitor = { ...anyVisitor, address: '203.0.113.9' };
          let [compared, sent, nextTry, enteredAfter] = [0, 0, 5, Infinity];
          for (let second = 0; second < 60; second++) {
            for (let i = 0; i < 50; i++) {
              const address = addressOf(sent++);
              const { code } = await outcome(token, 'wrong', { ...anyVisitor, address });
              if (code === 'wrong_password') compared++;
            }
            if (second >= nextTry && enteredAfter === Infinity) {
              const { code, wait } = await outcome(token, 'right', visitor);
              if (code === 'ok') enteredAfter = second - 5;
              nextTry = second + wait;
            }
            world.now += 1_000;
          }
          expect(enteredAfter).to.be.at.most(60);
          expect(compared).to.be.at.most(60);
          // Others are fast all the while.
          for (let i = 0; i < 5; i++)
            expect((await outcome(token, 'wrong', from(i))).code).to.equal('wrong_password');
        }).timeout(60_000);

      it('that never return leave an attempt within a minute to a visitor who obeys Retry-After', async () => {
        const { token } = await share({ password: 'right' });
        const next = await exhaust(token);
        for (let i = 0; i < 700; i++) await outcome(token, 'wrong', from(next + i));
        const visitor = { ...anyVisitor, address: '203.0.113.9' };
        const began = world.now;
        let last = await outcome(token, 'right', visitor);
        for (let i = 0; i < 10 && last.code !== 'ok'; i++) {
          world.now += last.wait * 1_000;
          last = await outcome(token, 'right', visitor);
        }
        expect(last.code).to.equal('ok');
        expect(world.now - began).to.be.at.most(MINUTE_MS);
      }).timeout(60_000);

      it('do not affect visitors who have unlocked the share, and slow down no other share', async () => {
        const { token } = await share({ password: 'right' });
        const other = await share({ password: 'right' });
        const { access } = await unlock(token, 'right');
        await exhaust(token);
        expect((await outcome(token, 'right', from(900))).code).to.equal('ok');
        expect((await outcome(token, 'right', from(901))).code).to.equal('rate_limited');
        expect((await visit(token, { ...anyVisitor, access })).unlocked).to.equal(true);
        expect((await outcome(other.token, 'right', from(901))).code).to.equal('ok');
      });

      it('slow a share down for as long as they continue, and 15 minutes longer at most', async () => {
        const { token } = await share({ password: 'right' });
        const next = await exhaust(token);
        world.now += 15 * MINUTE_MS - 1;
        expect((await outcome(token, 'wrong', from(next))).code).to.equal('wrong_password');
        expect((await outcome(token, 'wrong', from(next + 1))).code).to.equal('rate_limited');
        world.now += 15 * MINUTE_MS;
        for (let i = 0; i < 10; i++)
          expect((await outcome(token, 'wrong', from(i))).code).to.equal('wrong_password');
      });

      it('at the same time are counted before they are compared, a thousand as well as fifty', async () => {
        const { token } = await share({ password: 'right' });
        const guesses = Array.from({ length: 1_000 }, (_, i) =>
          outcome(token, `guess ${i}`, from(i)),
        );
        const codes = (await Promise.all(guesses)).map(({ code }) => code);
        // The fifty, and the one that the slow share checks immediately.
        expect(codes.filter((code) => code === 'wrong_password').length).to.be.within(1, 51);
        expect(new Set(codes)).to.deep.equal(new Set(['wrong_password', 'rate_limited']));
      }).timeout(60_000);
    });

    it('do not delay a PIN while a thousand guesses wait for their comparison', async () => {
      let release: (() => void)[] = [];
      const held = {
        hash: (password: string) => Promise.resolve(password),
        matches: () => new Promise<boolean>((resolve) => release.push(() => resolve(false))),
      };
      world = await openCoreFixture(backend, `queues-${name}-${process.pid}-${Math.random()}`, {
        visitorPasswords: held,
      });
      await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      const links: Awaited<ReturnType<typeof share>>[] = [];
      for (let i = 0; i < 20; i++) links.push(await share({ password: 'right' }));
      let answered = 0;
      const guesses: Promise<string>[] = [];
      for (let i = 0; i < 1_000; i++) {
        const address = `10.${i >> 8}.${i & 255}.7`;
        const guess = unlock(links[i % 20]?.token ?? '', 'wrong', { ...anyVisitor, address });
        guesses.push(codeOf(guess).finally(() => answered++));
        // No more at a time than are counted at a time.
        while (release.length <= i && answered === 0)
          await new Promise((resolve) => setImmediate(resolve));
      }
      expect(release).to.have.length(1_000);
      expect(await codeOf(world.core.hiddenZone.unlockZone(world.caller, '1234'))).to.equal('ok');
      expect(answered).to.equal(0);
      const all = release;
      release = [];
      for (const each of all) each();
      expect(new Set(await Promise.all(guesses))).to.deep.equal(new Set(['wrong_password']));
    }).timeout(60_000);

    it('do not count if they could not be compared', async () => {
      let broken = true;
      world = await openCoreFixture(backend, `unjudged-${name}-${process.pid}-${Math.random()}`, {
        visitorPasswords: {
          hash: (password) => Promise.resolve(password),
          matches: () =>
            broken
              ? Promise.reject(new UnavailableError('passwords', 'busy'))
              : Promise.resolve(false),
        },
      });
      const { token } = await share({ password: 'right' });
      for (let i = 0; i < 7; i++) {
        const error = await unlock(token, 'right').catch((each: unknown) => each);
        expect(error).to.be.instanceOf(UnavailableError);
      }
      broken = false;
      for (let i = 0; i < 5; i++)
        expect(await codeOf(unlock(token, 'wrong'))).to.equal('wrong_password');
      expect(await codeOf(unlock(token, 'wrong'))).to.equal('rate_limited');
    });

    it('compare passwords in Unicode normal form C, and older ones as they were sent', async () => {
      const [composed, apart] = ['caf\u00e9', 'cafe\u0301'];
      for (const set of [composed, apart]) {
        const { token } = await share({ password: set });
        for (const sent of [composed, apart])
          expect(await codeOf(unlock(token, sent)), `${set} ${sent}`).to.equal('ok');
        expect(await codeOf(unlock(token, 'cafe'))).to.equal('wrong_password');
      }
      const { token, id } = await share({ password: composed });
      await backend.uow.write(world.caller.scope, async ({ shares }) => {
        const old = await shares.find(id);
        const passwordHash = quickHash(apart);
        if (old) await shares.save({ ...old, passwordHash });
      });
      expect(await codeOf(unlock(token, apart))).to.equal('ok');
    });

    describe('limits of uploads', () => {
      const contributor = { role: 'contributor' };
      const unknownBody = { announced: null, arrived: () => 0, isHeldUp: () => true };
      let sent = 0;
      const send = async (token: string, ...texts: readonly string[]) => {
        const { shares, objects } = world.core;
        const visitor = { ...anyVisitor, address: `192.0.2.${++sent}` };
        const host = await shares.uploadTarget(visitor, token);
        const upload = await shares.openUpload(host, unknownBody);
        const files: ReceivedFile[] = [];
        try {
          for (const [i, text] of texts.entries())
            files.push(await upload.receive({ filename: `${i}.txt`, bytes: inPieces(text) }));
        } catch (error) {
          await objects.discardFiles(files);
          throw error;
        } finally {
          upload.close();
        }
        return shares.uploadShared(visitor, host, files);
      };
      const card = async (id: string) => {
        const { share: of } = await world.core.shares.getShare(world.caller, id);
        return [of.uploadCount, of.uploadedBytes, of.maxUploadFiles, of.maxUploadBytes];
      };
      const stored = async () => {
        const kept: string[] = [];
        for await (const { blobId } of world.blobs.list()) kept.push(blobId);
        return kept.length;
      };

      it('are a gibibyte and 500 files by default, also after a reset', async () => {
        const { id } = await share(contributor);
        expect(await card(id)).to.deep.equal([0, 0, 500, 2 ** 30]);
        const { shares } = world.core;
        await shares.editShare(world.caller, id, { maxUploadBytes: 10, maxUploadFiles: 2 });
        await shares.editShare(world.caller, id, { name: 'Other' });
        expect(await card(id)).to.deep.equal([0, 0, 2, 10]);
        await shares.editShare(world.caller, id, { maxUploadBytes: null, maxUploadFiles: null });
        expect(await card(id)).to.deep.equal([0, 0, 500, 2 ** 30]);
      });

      it('reject a file past them while it streams, and store nothing of it', async () => {
        const { id, token } = await share({
          ...contributor,
          maxUploadBytes: 10,
          maxUploadFiles: 3,
        });
        expect(await codeOf(send(token, 'x'.repeat(11)))).to.equal('too_large');
        expect(await codeOf(send(token, 'abcdef', 'ghijk'))).to.equal('too_large');
        expect(await stored()).to.equal(0);
        expect(await card(id)).to.deep.equal([0, 0, 3, 10]);
        expect(await codeOf(send(token, 'abcdef', 'ghij'))).to.equal('ok');
        expect(await card(id)).to.deep.equal([2, 10, 3, 10]);
        expect(await codeOf(send(token, 'y'))).to.equal('too_large');
        // An empty file has no bytes, but counts as a file.
        expect(await codeOf(send(token, ''))).to.equal('ok');
        expect(await codeOf(send(token, ''))).to.equal('share_quota');
        expect(await card(id)).to.deep.equal([3, 10, 3, 10]);
        expect(await stored()).to.equal(3);
        await world.core.shares.editShare(world.caller, id, {
          maxUploadBytes: 12,
          maxUploadFiles: 4,
        });
        expect(await codeOf(send(token, 'zz'))).to.equal('ok');
      });

      it('hold for concurrent uploads, and are not refunded for deleted files', async () => {
        const { id, token } = await share({
          ...contributor,
          maxUploadBytes: 20,
          maxUploadFiles: 4,
        });
        const codes = await Promise.all(
          Array.from({ length: 7 }, (_each, i) => codeOf(send(token, `file ${i}`))),
        );
        expect(codes.toSorted()).to.deep.equal([
          'ok',
          'ok',
          'ok',
          ...Array<string>(4).fill('too_large'),
        ]);
        expect(await card(id)).to.deep.equal([3, 18, 4, 20]);
        expect(await stored()).to.equal(3);
        const { items } = await world.core.objects.listObjects(world.caller, {}, PAGE);
        for (const { object } of items)
          await world.core.objects.deleteObject(world.caller, object.id, true);
        expect(await card(id)).to.deep.equal([3, 18, 4, 20]);
        expect(await codeOf(send(token, 'file 8'))).to.equal('too_large');
      });

      it('do not change the quota of the owner', async () => {
        world = await openCoreFixture(backend, `full-${name}-${process.pid}-${Math.random()}`, {
          roles: {
            unlimited: { ...BUILT_IN_ROLES['unlimited'], storageBytes: 8 } as RoleLimits,
          },
        });
        const { id, token } = await share(contributor);
        expect(await codeOf(send(token, '123456789'))).to.equal('plan_limit');
        expect(await card(id)).to.deep.equal([0, 0, 500, 2 ** 30]);
        expect(await codeOf(send(token, '12345678'))).to.equal('ok');
      });

      it('count what earlier bodies announce, for the share and for the storage of the owner', async () => {
        world = await openCoreFixture(backend, `open-${name}-${process.pid}-${Math.random()}`, {
          roles: {
            unlimited: { ...BUILT_IN_ROLES['unlimited'], storageBytes: 600_000 } as RoleLimits,
          },
        });
        const { token } = await share({ ...contributor, maxUploadBytes: 400_000 });
        const other = await share(contributor);
        const { shares } = world.core;
        const opened = async (of: string, address: string, announced: number | null) =>
          shares.openUpload(await shares.uploadTarget({ ...anyVisitor, address }, of), {
            ...unknownBody,
            announced,
          });
        const first = await opened(token, '192.0.2.1', 300_000);
        // It arrives in no hurry. What does not fit beside it is rejected at once, or while it streams.
        expect(await codeOf(opened(token, '192.0.2.2', 300_000))).to.equal('too_large');
        expect(await codeOf(send(token, 'x'.repeat(102_000)))).to.equal('too_large');
        expect(await codeOf(opened(other.token, '192.0.2.2', 500_000))).to.equal('plan_limit');
        expect(await codeOf(send(token, 'x'.repeat(100_000)))).to.equal('ok');
        first.close();
        expect(await codeOf(send(token, 'x'.repeat(299_000)))).to.equal('ok');
      });

      it('end a body that is slower than 10 kB/s for ten seconds, and no other', async () => {
        const waits: (() => void)[] = [];
        const timer: Timer = {
          wait: (_ms, until) =>
            new Promise((resolve) => {
              waits.push(resolve);
              void until.then(resolve);
            }),
        };
        const second = async () => {
          for (const resolve of waits.splice(0)) resolve();
          await new Promise(setImmediate);
        };
        world = await openCoreFixture(backend, `pace-${name}-${process.pid}-${Math.random()}`, {
          timer,
        });
        const { token } = await share(contributor);
        const { shares } = world.core;
        let arrived = 0;
        const errors: string[] = [];
        const opened = async (last: number, body: object) => {
          const upload = await shares.openUpload(
            await shares.uploadTarget({ ...anyVisitor, address: `192.0.2.${last}` }, token),
            { ...unknownBody, isHeldUp: () => false, ...body },
          );
          void upload.stopped.then((error) =>
            errors.push(`${last}: ${(error as DomainError).code}`),
          );
          return upload;
        };
        await opened(1, { arrived: () => 10_000 * arrived });
        await opened(2, { arrived: () => 9_999 * arrived });
        const heldUp = await opened(3, { isHeldUp: () => true });
        for (arrived = 1; arrived < 10; arrived++) await second();
        expect(errors).to.deep.equal([]);
        await second();
        expect(errors).to.deep.equal(['2: request_timeout']);
        for (arrived = 11; arrived <= 30; arrived++) await second();
        expect(errors).to.have.length(1);
        // It stalls after a fast beginning.
        for (let i = 0; i < 10; i++) await second();
        expect(errors).to.deep.equal(['2: request_timeout', '1: request_timeout']);
        heldUp.close();
        await second();
        expect(waits).to.deep.equal([]);
      });
    });

    it('remove expired accesses and attempts', async () => {
      const { id, token } = await share({ password: 'right' });
      await codeOf(unlock(token, 'wrong'));
      const before = await backend.uow.read(world.caller.scope, ({ shares }) =>
        shares.attempts(id, sha256Digest.digest(`${id} ${anyVisitor.address}`)),
      );
      expect(before?.attemptTimes).to.have.length(1);
      const { access, expiresIn } = await unlock(token, 'right');
      const visitor = { ...anyVisitor, access };
      world.now += expiresIn * 1_000 - 1;
      expect((await visit(token, visitor)).unlocked).to.equal(true);
      world.now += 1;
      expect((await visit(token, visitor)).unlocked).to.equal(false);
      world.now += 1;
      await codeOf(unlock(token, 'wrong', { ...anyVisitor, address: '192.0.2.9' }));
      const stored = await backend.uow.read(world.caller.scope, async ({ shares }) => [
        await shares.findAccess(id, sha256Digest.digest(access)),
        await shares.attempts(id, sha256Digest.digest(`${id} ${anyVisitor.address}`)),
        (await shares.attempts(id, sha256Digest.digest(`${id} 192.0.2.9`)))?.attemptTimes.length,
      ]);
      expect(stored).to.deep.equal([undefined, undefined, 1]);
    });

    it('do not unlock with a password that was changed while it was compared', async () => {
      const { id, token } = await share({ password: 'old' });
      const racing = unlock(token, 'old');
      // The comparison has begun at the latest when the new password is stored.
      await world.core.shares.editShare(world.caller, id, { password: 'new' });
      const outcome = await racing.then(
        ({ access }) => access,
        (error: unknown) => error as DomainError,
      );
      const opened =
        typeof outcome === 'string' &&
        (await visit(token, { ...anyVisitor, access: outcome })).unlocked;
      expect(opened).to.equal(false);
      expect(await codeOf(unlock(token, 'old'))).to.equal('wrong_password');
      expect(await codeOf(unlock(token, 'new'))).to.equal('ok');
    });

    it('notify of the first visit once, and hide the notification with the object', async () => {
      const objectId = await newFile('a.txt');
      const { id, token } = await share({ kind: 'file', resourceId: objectId, name: 'Mine' });
      await world.core.shares.visitShare({ ...anyVisitor, counts: false }, token, PAGE);
      expect((await event()).filter(({ kind }) => kind === 'share.opened')).to.have.length(0);
      await Promise.all(Array.from({ length: 5 }, () => visit(token)));
      const opened = (await event()).filter(({ kind }) => kind === 'share.opened');
      expect(opened.map(({ payload }) => payload)).to.deep.equal([
        { share_id: id, object_id: objectId, name: 'Mine' },
      ]);
      expect(opened[0]?.body).to.include('Mine');
      await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      await world.core.objects.editObject(world.caller, objectId, { isHidden: true });
      expect((await event()).filter(({ kind }) => kind === 'share.opened')).to.have.length(0);
    });

    it('of a folder show exactly its visible objects, in the list, by id and in the archive', () =>
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
                () => shares.readShared(anyVisitor, token, objectId),
                () => shares.previewShared(anyVisitor, token, objectId),
                () => shares.readSharedThumbnail(anyVisitor, token, objectId, 128),
              ])
                expect(await codeOf(ask())).to.equal(shown.includes(objectId) ? 'ok' : 'not_found');
            const file = await world.core.shares.archiveShared(anyVisitor, token);
            const chunks: Uint8Array[] = [];
            for await (const chunk of file.bytes()) chunks.push(chunk);
            const names = [...(await filesOf(Buffer.concat(chunks))).keys()];
            expect(names).to.deep.equal(shown.map((each) => `${ids.indexOf(each)}.pdf`));
          },
        ),
        { numRuns: name === 'memory' ? 40 : 6 },
      ));

    it('end an archive in progress when they end, and omit files that were moved', async () => {
      const { token, id, resourceId } = await share();
      const [first, second] = [
        await newFile('1.txt', resourceId),
        await newFile('2.txt', resourceId),
      ];
      const begin = async () => {
        const file = await world.core.shares.archiveShared(anyVisitor, token);
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

    it('show only the text of the bytes: no correction, nothing of an earlier version, no more than its beginning', async () => {
      const { token, resourceId } = await share();
      const id = await newFile('said.txt', resourceId);
      const look = async () => {
        const { text, textComplete, textAwaited } = await world.core.shares.previewShared(
          anyVisitor,
          token,
          id,
        );
        return [text, textComplete, textAwaited];
      };
      expect(await look()).to.deep.equal([null, true, true]);
      await world.runPendingTasks();
      expect(await look()).to.deep.equal(['of said.txt', true, false]);
      const correction = { text: 'private', baseVersion: 1 };
      await world.core.processing.correctText(world.caller, id, correction);
      expect(await look()).to.deep.equal(['of said.txt', true, false]);
      // An astral character at the limit is omitted, not split.
      const content = `${'x'.repeat(65_535)}🦊 and so on`;
      await world.core.objects.saveText(world.caller, id, { content, baseVersion: 1 });
      expect(await look()).to.deep.equal([null, true, true]);
      await world.runPendingTasks();
      expect(await look()).to.deep.equal(['x'.repeat(65_535), false, false]);
    });

    it('render a thumbnail once for all visitors, and none for a link', async () => {
      const { token, resourceId } = await share();
      const id = await newFile('a.pdf', resourceId);
      const { shares, objects } = world.core;
      const before = world.rendered.times;
      const ask = () => shares.readSharedThumbnail(anyVisitor, token, id, 128);
      const [one, other] = await Promise.all([ask(), ask()]);
      expect(one?.sha256).to.equal(other?.sha256);
      expect((await ask()).mime).to.equal('image/webp');
      expect(world.rendered.times - before).to.equal(1);
      const link = await objects.addLink(world.caller, {
        url: 'http://pictured.example/',
        collectionId: resourceId,
      });
      const of = link.object.id;
      expect(await codeOf(shares.readSharedThumbnail(anyVisitor, token, of, 128))).to.equal(
        'unsupported_type',
      );
      expect((await shares.previewShared(anyVisitor, token, of)).text).to.equal(
        'http://pictured.example/',
      );
    });

    it('list the files in an archive whose bytes are missing', async () => {
      const { token, resourceId } = await share();
      const lost = await newFile('lost.txt', resourceId);
      await newFile('kept.txt', resourceId);
      const { object } = await world.core.objects.getObject(world.caller, lost);
      await world.blobs.remove(object.blobId);
      const file = await world.core.shares.archiveShared(anyVisitor, token);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.bytes()) chunks.push(chunk);
      const files = await filesOf(Buffer.concat(chunks));
      expect([...files.keys()]).to.have.members(['kept.txt', 'left out.txt']);
      expect(files.get('left out.txt')).to.include('lost.txt');
    });

    it('accept no file once they have ended, or their visitor is locked out', async () => {
      const { token, id } = await share({ role: 'contributor' });
      const host = await world.core.shares.uploadTarget(anyVisitor, token);
      const { limits, scope } = world.caller;
      expect(host).to.deep.equal({
        shareId: id,
        scope,
        limits,
        network: anyVisitor.address,
        maxBytes: 2 ** 30,
        maxFiles: 500,
      });
      const upload = async (text: string) =>
        codeOf(
          world.core.shares.uploadShared(anyVisitor, host, [await world.file('up.txt', text)]),
        );
      expect(await upload('1')).to.equal('ok');
      await world.core.shares.editShare(world.caller, id, { role: 'viewer' });
      expect(await upload('2')).to.equal('forbidden');
      await world.core.shares.editShare(world.caller, id, { role: 'contributor', password: 'x' });
      expect(await upload('3')).to.equal('password_required');
      await world.core.shares.revokeShare(world.caller, id);
      expect(await upload('4')).to.equal('not_found');
      const { total } = await world.core.objects.listObjects(world.caller, {}, PAGE);
      expect(total).to.equal(1);
      const stored: string[] = [];
      for await (const { blobId } of world.blobs.list()) stored.push(blobId);
      expect(stored).to.have.length(1);
    });
  });
