import { expect } from 'chai';
import fc from 'fast-check';
import {
  OBJECT_ORDERS,
  positionIn,
  type ObjectFilter,
  type ObjectOrder,
  type ObjectPosition,
  type StoredObject,
} from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import {
  anObject,
  everyFilter,
  filters,
  FOLDERS,
  furtherFilters,
  IN_ORDER,
  listedObjects,
  makeFolders,
  newestFirst,
  newScope,
  objects,
  passes,
} from '../samples.ts';

const ALL = { visibility: 'any', trashed: false } as const;
/** More than any test saves: a listing that reaches it is looping. */
const MOST = 100;

/**
 * One step of a random history: an object is saved or removed during concurrent reads. Few ids, so that they collide.
 */
type Step = {
  readonly slot: number;
  readonly to: StoredObject | null;
  readonly looks: 'before' | 'meanwhile' | 'not at all';
};

const histories = (): fc.Arbitrary<readonly (readonly Step[])[]> =>
  fc.array(
    fc.array(
      fc.record({
        slot: fc.nat(5),
        to: fc.option(listedObjects(), { nil: null, freq: 4 }),
        looks: fc.constantFrom<Step['looks'][]>('before', 'meanwhile', 'not at all'),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    { minLength: 1, maxLength: 4 },
  );

/** One object in each state, the less visible the later. */
const everyState = (over: Partial<StoredObject> = {}): StoredObject[] =>
  [{}, { isHidden: true }, { deletedAt: 5 }, { isHidden: true, deletedAt: 5 }].map(
    (state, createdAt) => anObject({ ...over, ...state, createdAt }),
  );

type Listed = [StoredObject[], ObjectFilter, ObjectFilter, number, ObjectOrder];

const sevenAlike = () => Array.from({ length: 7 }, () => anObject());

/** The contract of every ObjectStore. */
export function objectStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const scopeWith = async (saved: readonly StoredObject[]) => {
    const scope = newScope();
    await backend.uow.write(scope, async (s) => {
      await makeFolders(s);
      for (const object of saved) await s.objects.save(object);
    });
    return scope;
  };

  it('`find` returns what was saved, field for field. Saving is idempotent', () =>
    fc.assert(
      fc.asyncProperty(objects(), async (object) => {
        const scope = await scopeWith([object, object]);
        await backend.uow.read(scope, async (s) => {
          expect(await s.objects.find(object.id)).to.deep.equal(object);
          const filter = { visibility: 'any', trashed: object.deletedAt !== null } as const;
          const page = await s.objects.page(filter, { limit: 9, offset: 0 });
          expect(page).to.deep.equal({ items: [object], total: 1, next: null });
        });
      }),
      { numRuns: 40 },
    ));

  it('a second save replaces every field', () =>
    fc.assert(
      fc.asyncProperty(objects(), objects(), async (before, after) => {
        const scope = await scopeWith([before, { ...after, id: before.id }]);
        const found = await backend.uow.read(scope, (s) => s.objects.find(before.id));
        expect(found).to.deep.equal({ ...after, id: before.id });
      }),
      { numRuns: 20 },
    ));

  it('An object is out of reach of every other owner', async () => {
    const object = anObject({ collectionId: FOLDERS[0] });
    const mine = await scopeWith([object]);
    const { ownerId } = newScope();
    const other = { ...mine, ownerId };
    const seen = await backend.uow.read(other, async ({ objects: store }) => [
      await store.find(object.id),
      await store.findMany([object.id]),
      (await store.page(ALL, { limit: 9, offset: 0 })).items,
      await store.count(ALL),
      (await store.countVisible([FOLDERS[0]])).get(FOLDERS[0]) ?? 0,
      await store.idsIn(FOLDERS[0], null, 9),
      await store.withHash(object.contentHash, true),
    ]);
    expect(seen).to.deep.equal([undefined, [], [], 0, 0, [], undefined]);
    await backend.uow.write(other, async (s) => {
      await s.objects.remove(object.id);
      await s.objects.save({ ...object, filename: 'theirs' });
    });
    expect(await backend.uow.read(mine, (s) => s.objects.find(object.id))).to.deep.equal(object);
    expect(await backend.uow.read(mine, (s) => s.objects.count(ALL))).to.equal(1);
  });

  it('`page` divides the list in each order into pages without gaps or duplicates, by offset and by position. Equal keys are ordered by `id`: ascending in `oldest` and `name`, descending in the others', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(listedObjects(), { maxLength: 14 }),
        filters(),
        fc.constantFrom(...furtherFilters()),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(...OBJECT_ORDERS),
        async (saved, narrow, further, limit, order) => {
          const scope = await scopeWith(saved);
          await backend.uow.read(scope, async ({ objects: store }) => {
            for (const filter of [
              narrow,
              further,
              ALL,
              { ...ALL, visibility: 'visible' as const },
            ]) {
              const expected = saved.filter((o) => passes(o, filter)).sort(IN_ORDER[order]);
              expect(await byOffset(store, filter, limit, order)).to.deep.equal(expected);
              expect(await byPosition(store, filter, limit, order)).to.deep.equal(expected);
            }
          });
        },
      ),
      {
        numRuns: 60,
        examples: OBJECT_ORDERS.map((order): Listed => [sevenAlike(), ALL, ALL, 2, order]),
      },
    ));

  it('`outlines` returns a page by offset as summaries: the same objects and the same total, at a fraction of the cost', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(listedObjects(), { maxLength: 14 }),
        filters(),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(15),
        async (saved, narrow, limit, offset) => {
          const scope = await scopeWith(saved);
          await backend.uow.read(scope, async ({ objects: store }) => {
            for (const filter of [narrow, ALL, { ...ALL, visibility: 'visible' as const }]) {
              const { items, total } = await store.page(filter, { limit, offset });
              const outlines = items.map(({ id, filename, mime, size, createdAt }) => {
                return { id, filename, mime, size, createdAt };
              });
              expect(await store.outlines(filter, { limit, offset })).to.deep.equal({
                items: outlines,
                total,
              });
            }
          });
        },
      ),
      { numRuns: 30, examples: [[Array.from({ length: 7 }, () => anObject()), ALL, 2, 3]] },
    ));

  it('gives an empty page past the end and after the last position', async () => {
    const object = anObject();
    const scope = await scopeWith([object]);
    const pages = await backend.uow.read(scope, async ({ objects: store }) => [
      await store.page(ALL, { limit: 5, offset: 1 }),
      await store.page(ALL, { limit: 5, offset: 2 ** 40 }),
      await store.page(ALL, { limit: 5, after: positionIn('newest', object) }),
      await store.page(ALL, { limit: 5, after: { key: -1, id: '' } }),
    ]);
    for (const page of pages) expect(page).to.deep.equal({ items: [], total: 1, next: null });
  });

  it('`total` and `count` are exact for every filter after any sequence of saves and removals. Only filters by category, content, time of creation or folders of suggestions count rows', () =>
    fc.assert(
      fc.asyncProperty(histories(), async (history) => {
        const scope = newScope();
        const model = new Map<string, StoredObject>();
        const ids = Array.from({ length: 6 }, () => anObject().id);
        await backend.uow.write(scope, makeFolders);
        for (const unit of history)
          await backend.uow.write(scope, async (s) => {
            for (const step of unit) await takeStep(s, model, ids[step.slot] ?? '', step);
          });
        await backend.uow.read(scope, async ({ objects: store }) => {
          for (const id of ids) expect(await store.find(id)).to.deep.equal(model.get(id));
          for (const filter of [...everyFilter(), ...furtherFilters()]) {
            const expected = [...model.values()].filter((o) => passes(o, filter)).length;
            expect(await store.count(filter), JSON.stringify(filter)).to.equal(expected);
          }
          for (const visibility of ['visible', 'hidden', 'any'] as const) {
            const filter = { visibility, trashed: false };
            const expected = [...model.values()].filter((o) => passes(o, filter)).length;
            const page = await store.page(filter, { limit: 1, offset: 0 });
            expect(page.total).to.equal(expected);
          }
        });
      }),
      { numRuns: 25 },
    ));

  it('a write that rejects changes no total', async () => {
    const scope = await scopeWith([anObject()]);
    const failed = backend.uow.write(scope, async (s) => {
      await s.objects.save(anObject());
      throw new Error('no');
    });
    await failed.catch(() => undefined);
    expect(await backend.uow.read(scope, (s) => s.objects.count(ALL))).to.equal(1);
  });

  it('`findMany` returns those of the ids that exist, in no promised order', async () => {
    const saved = Array.from({ length: 300 }, () => anObject());
    const scope = await scopeWith(saved);
    const ids = saved.map(({ id }) => id);
    const [none, some, all] = await backend.uow.read(scope, async ({ objects: store }) => [
      await store.findMany([]),
      await store.findMany([ids[7] ?? '', 'missing', ids[3] ?? '', ids[7] ?? '']),
      await store.findMany(ids),
    ]);
    expect(none).to.deep.equal([]);
    expect(some).to.have.deep.members([saved[3], saved[7]]);
    expect(all).to.have.deep.members(saved);
  });

  it('`countVisible` counts, for each requested folder, its objects that are neither hidden nor in the trash', () =>
    fc.assert(
      fc.asyncProperty(fc.array(listedObjects(), { maxLength: 10 }), async (saved) => {
        const scope = await scopeWith(saved);
        const requested = [...FOLDERS, 'nobody-is-here'];
        const counts = await backend.uow.read(scope, (s) => s.objects.countVisible(requested));
        const visible = saved.filter((o) => passes(o, { visibility: 'visible', trashed: false }));
        for (const folder of requested)
          expect(counts.get(folder) ?? 0).to.equal(
            visible.filter((o) => o.collectionId === folder).length,
          );
      }),
      { numRuns: 15, examples: [[everyState({ collectionId: FOLDERS[0] })]] },
    ));

  it('`idsIn` lists the objects of a folder in id order, hidden and trashed ones included', () =>
    fc.assert(
      fc.asyncProperty(fc.array(listedObjects(), { maxLength: 10 }), async (saved) => {
        const scope = await scopeWith(saved);
        const walked = await backend.uow.read(scope, async ({ objects: store }) => {
          const ids: string[] = [];
          for (let last: string | null = null; ;) {
            const some: readonly string[] = await store.idsIn(FOLDERS[0], last, 3);
            ids.push(...some);
            expect(ids).to.have.length.at.most(MOST);
            last = some.at(-1) ?? null;
            if (last === null) return ids;
          }
        });
        const inside = saved.filter((o) => o.collectionId === FOLDERS[0]);
        expect(walked).to.deep.equal(inside.map(({ id }) => id).sort());
      }),
      { numRuns: 15, examples: [[everyState({ collectionId: FOLDERS[0] })]] },
    ));

  it('`withHash` with folders returns the newest such object in any of them', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(listedObjects(), { maxLength: 8 }),
        fc.array(fc.constantFrom(...FOLDERS, 'nobody-is-here'), { maxLength: 2 }),
        async (saved, ids) => {
          const scope = await scopeWith(saved);
          const hash = 'a'.repeat(64);
          const [expected] = saved
            .filter((o) => o.contentHash === hash && o.deletedAt === null)
            .filter((o) => ids.includes(o.collectionId as never))
            .sort(newestFirst);
          const found = await backend.uow.read(scope, (s) => s.objects.withHash(hash, true, ids));
          expect(found).to.deep.equal(expected);
        },
      ),
      { numRuns: 25 },
    ));

  it('`withHash` returns the newest object outside the trash whose current content has the hash, hidden ones only on request', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(listedObjects(), { maxLength: 8 }),
        fc.boolean(),
        async (saved, hiddenToo) => {
          const scope = await scopeWith(saved);
          const hash = 'a'.repeat(64);
          const found = await backend.uow.read(scope, (s) => s.objects.withHash(hash, hiddenToo));
          const [expected] = saved
            .filter((o) => o.contentHash === hash && o.deletedAt === null)
            .filter((o) => hiddenToo || !o.isHidden)
            .sort(newestFirst);
          expect(found).to.deep.equal(expected);
        },
      ),
      {
        numRuns: 20,
        examples: [
          [everyState(), false],
          [everyState(), true],
        ],
      },
    ));
}

async function takeStep(
  { objects: store }: Pick<Stores, 'objects'>,
  model: Map<string, StoredObject>,
  id: string,
  { to, looks }: Step,
): Promise<void> {
  if (looks === 'before') expect(await store.find(id)).to.deep.equal(model.get(id));
  const seen = looks === 'meanwhile' && store.find(id);
  await (to ? store.save({ ...to, id }) : store.remove(id));
  await seen;
  if (to) model.set(id, { ...to, id });
  else model.delete(id);
}

async function byOffset(
  store: Stores['objects'],
  filter: Parameters<Stores['objects']['page']>[0],
  limit: number,
  order: ObjectOrder,
): Promise<StoredObject[]> {
  const seen: StoredObject[] = [];
  for (;;) {
    const page = await store.page(filter, { limit, order, offset: seen.length });
    seen.push(...page.items);
    expect(seen).to.have.length.at.most(MOST);
    expect(page.next).to.deep.equal(
      seen.length < page.total ? positionOf(order, seen.at(-1)) : null,
    );
    if (page.items.length < limit) {
      expect(page.total).to.equal(seen.length);
      return seen;
    }
  }
}

async function byPosition(
  store: Stores['objects'],
  filter: Parameters<Stores['objects']['page']>[0],
  limit: number,
  order: ObjectOrder,
): Promise<StoredObject[]> {
  const first = await store.page(filter, { limit, order, offset: 0 });
  const seen = [...first.items];
  for (let next = first.next; next;) {
    const page = await store.page(filter, { limit, order, after: next });
    expect(page.items).to.have.length.greaterThan(0);
    expect(page.total).to.equal(first.total);
    seen.push(...page.items);
    expect(seen).to.have.length.at.most(MOST);
    next = page.next;
  }
  return seen;
}

const positionOf = (order: ObjectOrder, object: StoredObject | undefined): ObjectPosition | null =>
  object ? positionIn(order, object) : null;
