import { expect } from 'chai';
import fc from 'fast-check';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { RoleLimits } from '../../ports/identity.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import { backends, type Backend } from '../backends.ts';
import { anObject, aShare, newId } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const LIMIT = 100;
const PAGE = { limit: 1, offset: 0 };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

/** Two owners of one database do the same while the zone is locked; only one of them has hidden objects. */
for (const [name, open] of backends)
  describe(`${name}: limits while the zone is locked`, () => {
    let backend: Backend;
    let worlds = 0;
    before(async () => (backend = await open()));
    after(() => backend.close());

    const newWorld = async (): Promise<{ world: CoreFixture; unlocked: Caller }> => {
      const salt = `limits-${name}-${++worlds}-${process.pid}-${Date.now()}`;
      const limits = { ...BUILT_IN_ROLES['unlimited'], storageBytes: LIMIT } as RoleLimits;
      const world = await openCoreFixture(backend, salt, { roles: { unlimited: limits } });
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      return { world, unlocked: { ...world.caller, hiddenToken: token } };
    };
    const upload = async (world: CoreFixture, caller: Caller, text: string, isHidden = false) => {
      const { objects } = world.core;
      const file = await objects.receiveFile(caller, { filename: 'f.txt', bytes: bytesOf(text) });
      const [added] = await objects.addFiles(caller, [file], { isHidden });
      return added?.object.id ?? '';
    };
    const stored = async ({ core }: CoreFixture, caller: Caller) =>
      (await core.usage.usageOf(caller)).items.at(-1)?.used ?? 0;

    it('of storage count only the bytes that the caller can see', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
          fc.integer({ min: 1, max: LIMIT }),
          fc.boolean(),
          async (sizes, hidden, twin) => {
            const live = async (hides: boolean) => {
              const { world, unlocked } = await newWorld();
              // As a duplicate the hidden bytes equal those of the first upload.
              const text = twin ? 'a'.repeat(sizes[0] ?? 1) : 'h'.repeat(hidden);
              if (hides) await upload(world, unlocked, text, true);
              const { core, caller } = world;
              const answers: unknown[] = [];
              const ids: string[] = [];
              for (const [i, size] of sizes.entries()) {
                const text = String.fromCharCode(97 + i).repeat(size);
                answers.push(await codeOf(upload(world, caller, text).then((id) => ids.push(id))));
                const note = { content: text.toUpperCase().slice(0, 9) };
                answers.push(await codeOf(core.objects.addNote(caller, note)));
                const [id] = ids;
                if (id !== undefined) {
                  const edit = { content: 'e'.repeat(size), baseVersion: i + 1 };
                  answers.push(await codeOf(core.objects.saveText(caller, id, edit)));
                }
                answers.push(await stored(world, caller));
              }
              for (const id of ids) await core.objects.deleteObject(caller, id, true);
              return [...answers, await stored(world, caller)];
            };
            expect(await live(true)).to.deep.equal(await live(false));
          },
        ),
        { numRuns: name === 'memory' ? 60 : 6 },
      )).timeout(120_000);

    it('of storage count every byte with an unlocked zone, and never allow more than twice the quota', async () => {
      const { world, unlocked } = await newWorld();
      const { objects } = world.core;
      await upload(world, unlocked, 'h'.repeat(LIMIT), true);
      expect(await codeOf(upload(world, unlocked, 'x'))).to.equal('plan_limit');
      const id = await upload(world, world.caller, 'v'.repeat(LIMIT));
      expect(await codeOf(upload(world, world.caller, 'x'))).to.equal('plan_limit');
      await objects.editObject(world.caller, id, { isHidden: true });
      // No object is visible, but repeated hiding does not create unlimited space.
      expect(await stored(world, world.caller)).to.equal(0);
      for (const hides of [false, true])
        expect(await codeOf(upload(world, world.caller, 'x', hides))).to.equal('plan_limit');
      expect(await stored(world, unlocked)).to.equal(2 * LIMIT);
      await world.core.hiddenZone.removePin(world.caller, '1234');
      expect(await codeOf(upload(world, world.caller, 'x'))).to.equal('plan_limit');
    });

    it('of storage count only visible bytes for uploads of visitors and for edited pictures', async () => {
      const live = async (hides: boolean) => {
        const { world, unlocked } = await newWorld();
        const { core, caller } = world;
        if (hides) await upload(world, unlocked, 'h'.repeat(LIMIT), true);
        const { collection } = await core.library.createCollection(caller, { name: 'Shared' });
        const { token } = await core.shares.createShare(caller, {
          kind: 'folder',
          resourceId: collection.id,
          role: 'contributor',
          name: '',
        });
        const visitor = { address: '192.0.2.1', counts: true };
        const send = async (text: string) => {
          const host = await core.shares.uploadTarget(visitor, token ?? '');
          const upload = await core.shares.openUpload(host, {
            announced: text.length,
            arrived: () => 0,
            isHeldUp: () => true,
          });
          const file = await upload
            .receive({ filename: 'v.txt', bytes: bytesOf(text) })
            .finally(upload.close);
          return core.shares.uploadShared(visitor, host, [file]);
        };
        const answers: unknown[] = [await codeOf(send('v'.repeat(40)))];
        const picture = await upload(world, caller, 'picture png q9 2x1 ab');
        const pending = await core.imaging.requestImageOperation(caller, picture, {
          op: 'rotate',
          angle: 90,
        });
        await world.runPendingTasks();
        const { state, error } = await core.imaging.imageOperationStatus(
          caller,
          picture,
          pending.id,
        );
        answers.push(state, error, await codeOf(send('w'.repeat(40))), await stored(world, caller));
        return answers;
      };
      const bare = await live(false);
      expect(bare.slice(0, 3)).to.deep.equal(['ok', 'done', null]);
      expect(await live(true)).to.deep.equal(bare);
    });

    it('of shares count those that the caller can see, and all of them with an unlocked zone', async () => {
      const { world, unlocked } = await newWorld();
      const { core, caller } = world;
      const hidden = anObject({ isHidden: true });
      const shown = await upload(world, caller, 'shown');
      await backend.uow.write(caller.scope, async ({ objects, shares }) => {
        await objects.save(hidden);
        for (let i = 0; i < 5_000; i++)
          await shares.save(aShare({ kind: 'file', resourceId: hidden.id }));
      });
      const create = (by: Caller) =>
        codeOf(
          core.shares.createShare(by, {
            kind: 'file',
            resourceId: shown,
            role: 'viewer',
            name: '',
          }),
        );
      expect(await create(caller)).to.equal('ok');
      expect(await create(unlocked)).to.equal('too_many_shares');
      await backend.uow.write(caller.scope, async ({ shares }) => {
        for (let i = 0; i < 4_999; i++)
          await shares.save(aShare({ kind: 'file', resourceId: shown }));
      });
      expect((await core.shares.listShares(caller, PAGE)).total).to.equal(5_000);
      expect(await create(caller)).to.equal('too_many_shares');
    }).timeout(120_000);

    it('of image operations count those on images that the caller can see', async () => {
      const { world, unlocked } = await newWorld();
      const { core, caller } = world;
      const hidden = anObject({ isHidden: true });
      const picture = await upload(world, caller, 'picture png q9 2x1 ab');
      const waiting = (objectId: string): PendingImageOperation => ({
        id: newId(),
        objectId,
        operation: { op: 'rotate', angle: 90 },
        state: 'accepted',
        error: null,
        version: null,
        createdAt: 1,
        updatedAt: 1,
      });
      await backend.uow.write(caller.scope, async ({ objects, imageOperations }) => {
        await objects.save(hidden);
        for (let i = 0; i < 200; i++) await imageOperations.save(waiting(hidden.id));
      });
      const rotate = (by: Caller) =>
        codeOf(core.imaging.requestImageOperation(by, picture, { op: 'rotate', angle: 90 }));
      expect(await rotate(caller)).to.equal('ok');
      expect(await rotate(unlocked)).to.equal('too_many_operations');
      await backend.uow.write(caller.scope, async ({ imageOperations }) => {
        for (let i = 0; i < 199; i++) await imageOperations.save(waiting(picture));
      });
      expect(await rotate(caller)).to.equal('too_many_operations');
    }).timeout(60_000);
  });

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
