import { expect } from 'chai';
import fc from 'fast-check';
import type { ImageOperation } from '../../ports/image-editor.ts';
import {
  IMAGE_OPERATION_STATES,
  type PendingImageOperation,
} from '../../ports/image-operations.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anObject, newId, newScope, texts, wholes } from '../samples.ts';

const anOperation = (over: Partial<PendingImageOperation> = {}): PendingImageOperation => ({
  id: newId(),
  objectId: newId(),
  operation: { op: 'rotate', angle: 90 },
  state: 'accepted',
  error: null,
  version: null,
  createdAt: 1_000,
  updatedAt: 2_000,
  ...over,
});

const share = () => fc.double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true });

export const imageOperations = (): fc.Arbitrary<ImageOperation> =>
  fc.oneof(
    fc.record({ op: fc.constant('compress' as const), quality: fc.integer({ min: 10, max: 100 }) }),
    fc.record({
      op: fc.constant('resize' as const),
      maxSide: fc.integer({ min: 16, max: 10_000 }),
      quality: fc.option(fc.integer({ min: 10, max: 100 })),
    }),
    fc.record({
      op: fc.constant('rotate' as const),
      angle: fc.constantFrom(90 as const, 180 as const, 270 as const),
    }),
    fc.record({
      op: fc.constant('flip' as const),
      mode: fc.constantFrom('h' as const, 'v' as const),
    }),
    fc.record({
      op: fc.constant('crop' as const),
      box: fc.tuple(share(), share(), share(), share()),
    }),
  );

const operations = (): fc.Arbitrary<PendingImageOperation> =>
  fc
    .record({
      operation: imageOperations(),
      state: fc.constantFrom(...IMAGE_OPERATION_STATES),
      error: fc.option(texts()),
      version: fc.option(wholes()),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((over) => anOperation(over));

/** The contract of every ImageOperationStore. */
export function imageOperationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['imageOperations'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.imageOperations));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.imageOperations));
  const saved = async (scope: OwnerScope, ...all: readonly PendingImageOperation[]) => {
    for (const each of all) await write(scope, (store) => store.save(each));
  };
  const left = async (scope: OwnerScope, all: readonly PendingImageOperation[]) => {
    const found = await Promise.all(all.map(({ id }) => read(scope, (store) => store.find(id))));
    return all.flatMap(({ id }, i) => (found[i] ? [id] : []));
  };

  it('`save` inserts or replaces, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(operations(), operations(), async (operation, other) => {
        const scope = newScope();
        const next = { ...other, id: operation.id };
        await saved(scope, operation);
        expect(await read(scope, (s) => s.find(operation.id))).to.deep.equal(operation);
        await saved(scope, next);
        expect(await read(scope, (s) => s.find(operation.id))).to.deep.equal(next);
        expect(await read(scope, (s) => s.find(newId()))).to.equal(undefined);
      }),
      { numRuns: 30 },
    ));

  it('`next` returns the first unfinished operation of an object, in insertion order, regardless of times and ids', async () => {
    const scope = newScope();
    const objectId = newId();
    const [late, early] = [newId(), newId()].reverse() as [string, string];
    const first = anOperation({ id: late, objectId, createdAt: 9 });
    const second = anOperation({ id: early, objectId, createdAt: 1 });
    const elsewhere = anOperation();
    await saved(scope, elsewhere, first, second);
    const next = () => read(scope, (s) => s.next(objectId));
    expect((await next())?.id).to.equal(first.id);
    await saved(scope, { ...second, updatedAt: 3 }, { ...first, state: 'running' });
    expect((await next())?.id).to.equal(first.id);
    await saved(scope, { ...first, state: 'done' });
    expect((await next())?.id).to.equal(second.id);
    await saved(scope, { ...second, state: 'failed' });
    expect(await next()).to.equal(undefined);
  });

  it('`waiting` counts the unfinished operations of all objects or of visible ones', async () => {
    const scope = newScope();
    await saved(
      scope,
      ...IMAGE_OPERATION_STATES.flatMap((state) => [
        anOperation({ state }),
        anOperation({ state }),
      ]),
    );
    expect(await read(scope, (s) => s.waiting('any'))).to.equal(4);
    const hidden = anObject({ isHidden: true });
    await backend.uow.write(scope, (s) => s.objects.save(hidden));
    await saved(scope, anOperation({ objectId: hidden.id }), anOperation({ state: 'running' }));
    expect(await read(scope, (s) => s.waiting('any'))).to.equal(6);
    expect(await read(scope, (s) => s.waiting('visible'))).to.equal(5);
    expect(await read(newScope(), (s) => s.waiting('any'))).to.equal(0);
  });

  it('`prune` removes operations that finished and were last changed before the moment, and all but the newest finished ones, counted separately for hidden and visible objects. Unfinished ones remain', async () => {
    const scope = newScope();
    const old = anOperation({ state: 'done', updatedAt: 99 });
    const oldAndWaiting = anOperation({ state: 'running', updatedAt: 99 });
    const several = [1, 2, 3].map(() => anOperation({ state: 'failed', updatedAt: 100 }));
    const waiting = anOperation({ updatedAt: 100 });
    const all = [old, oldAndWaiting, ...several, waiting];
    await saved(scope, ...all);
    await write(scope, (s) => s.prune(100, 3));
    const stored = [oldAndWaiting.id, ...several.map(({ id }) => id), waiting.id];
    expect(await left(scope, all)).to.deep.equal(stored);
    await write(scope, (s) => s.prune(100, 1));
    expect(await left(scope, all)).to.deep.equal([oldAndWaiting.id, several[2]?.id, waiting.id]);
    await write(scope, (s) => s.prune(0, 0));
    expect(await left(scope, all)).to.deep.equal([oldAndWaiting.id, waiting.id]);
    const hidden = anObject({ isHidden: true });
    await backend.uow.write(scope, (s) => s.objects.save(hidden));
    const seen = [1, 2].map(() => anOperation({ state: 'done', updatedAt: 100 }));
    const unseen = [1, 2].map(() =>
      anOperation({ state: 'done', updatedAt: 100, objectId: hidden.id }),
    );
    await saved(scope, ...seen, ...unseen);
    await write(scope, (s) => s.prune(0, 1));
    const newest = [seen[1]?.id, unseen[1]?.id];
    expect(await left(scope, [...seen, ...unseen])).to.deep.equal(newest);
  });

  it('`forgetObject` removes the operations of one object only', async () => {
    const scope = newScope();
    const objectId = newId();
    const all = [
      anOperation({ objectId }),
      anOperation({ objectId, state: 'done' }),
      anOperation(),
    ];
    await saved(scope, ...all);
    await write(scope, (s) => s.forgetObject(objectId));
    expect(await left(scope, all)).to.deep.equal([all[2]?.id]);
  });

  it("Another owner's operations are out of reach", async () => {
    const [scope, other] = [newScope(), newScope()];
    const operation = anOperation();
    await saved(scope, operation);
    await write(other, async (s) => {
      expect(await s.find(operation.id)).to.equal(undefined);
      expect(await s.next(operation.objectId)).to.equal(undefined);
      await s.forgetObject(operation.objectId);
      await s.prune(10_000, 0);
    });
    await saved(other, { ...operation, state: 'failed' });
    expect(await read(scope, (s) => s.find(operation.id))).to.deep.equal(operation);
  });
}
