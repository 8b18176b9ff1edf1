import { expect } from 'chai';
import fc from 'fast-check';
import { BULK_ACTIONS, BULK_STATES, type BulkItem, type BulkRun } from '../../ports/bulk-runs.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { newId, newScope, orNull, texts, wholes } from '../samples.ts';

const aRun = (over: Partial<BulkRun> = {}): BulkRun => ({
  id: newId(),
  action: 'move',
  collectionId: null,
  categories: [],
  filter: null,
  except: [],
  undoOf: null,
  isBackground: true,
  isConcealed: false,
  zone: 'closed',
  folderIds: null,
  state: 'SUCCESS',
  isCollected: true,
  position: null,
  nextOrd: 0,
  createdAt: 1_000,
  updatedAt: 2_000,
  expiresAt: 5_000,
  ...over,
});

const anItem = (ord: number, over: Partial<BulkItem> = {}): BulkItem => ({
  objectId: newId(),
  ord,
  isHidden: false,
  outcome: 'pending',
  change: null,
  ...over,
});

const runs = (): fc.Arbitrary<BulkRun> =>
  fc
    .record({
      action: fc.constantFrom(...BULK_ACTIONS),
      collectionId: orNull(fc.constantFrom('f1', 'f2')),
      categories: fc.array(texts(), { maxLength: 3 }),
      filter: orNull(
        fc.record({
          visibility: fc.constantFrom('visible', 'hidden', 'any'),
          trashed: fc.boolean(),
          collectionId: orNull(fc.constantFrom('f1')),
        }),
      ),
      except: fc.array(fc.uuid(), { maxLength: 3 }),
      undoOf: orNull(fc.constantFrom('r1')),
      isBackground: fc.boolean(),
      isConcealed: fc.boolean(),
      zone: fc.constantFrom('unset', 'closed', 'open'),
      folderIds: orNull(fc.array(fc.uuid(), { minLength: 1, maxLength: 3 })),
      state: fc.constantFrom(...BULK_STATES),
      isCollected: fc.boolean(),
      position: orNull(fc.record({ key: wholes(), id: fc.uuid() })),
      nextOrd: wholes(),
      createdAt: wholes(),
      updatedAt: wholes(),
      expiresAt: orNull(wholes()),
    })
    .map((over) => aRun(over));

/** The contract of every BulkRunStore. */
export function bulkRunStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['bulkRuns'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.bulkRuns));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.bulkRuns));

  it('`save` inserts or replaces a run, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(runs(), runs(), async (run, other) => {
        const scope = newScope();
        const next = { ...other, id: run.id };
        await write(scope, (s) => s.save(run));
        expect(await read(scope, (s) => s.find(run.id))).to.deep.equal(run);
        await write(scope, (s) => s.save(next));
        expect(await read(scope, (s) => s.find(run.id))).to.deep.equal(next);
      }),
      { numRuns: 15 },
    ));

  it('`unfinished` counts the pending and running runs of one binding', async () => {
    const scope = newScope();
    await write(scope, async (s) => {
      for (const folderIds of [null, ['f1'], ['f1', 'f2']])
        for (const state of BULK_STATES) await s.save(aRun({ state, folderIds }));
      await s.save(aRun({ state: 'PROGRESS', folderIds: ['f1'] }));
    });
    const counted = (folderIds: BulkRun['folderIds']) =>
      read(scope, (s) => s.unfinished(folderIds));
    expect([await counted(null), await counted(['f1']), await counted(['f2'])]).to.deep.equal([
      2, 3, 0,
    ]);
  });

  it('`beyond` returns ended runs of one binding that are not among its newest, oldest first, at most `limit`', async () => {
    const scope = newScope();
    const wanted = [5, 3, 9, 7, 1].map((createdAt) => aRun({ createdAt }));
    const [fifth, third, , seventh, first] = wanted;
    await write(scope, async (s) => {
      for (const run of wanted) await s.save(run);
      await s.save(aRun({ createdAt: 2, folderIds: ['f1'] }));
      await s.save(aRun({ createdAt: 2, isBackground: false }));
      await s.save(aRun({ createdAt: 2, expiresAt: 400 }));
      await s.save(aRun({ createdAt: 2, state: 'PROGRESS', expiresAt: null }));
    });
    const of = { folderIds: null, isBackground: true };
    const beyond = (newest: number, limit: number) =>
      read(scope, (s) => s.beyond(of, newest, 400, limit));
    expect(await beyond(1, 9)).to.deep.equal([first, third, fifth, seventh]);
    expect(await beyond(1, 2)).to.deep.equal([fifth, seventh]);
    expect(await beyond(5, 9)).to.deep.equal([]);
  });

  it('`saveItems` inserts or replaces items, and `items` returns those of one outcome in order, after a given one and at most `limit`', async () => {
    const scope = newScope();
    const change = { from: { collectionId: null, deletedAt: 7 }, to: { categories: ['a "b"'] } };
    const items = [12, 3, 0, 7].map((ord) => anItem(ord, { change: ord > 5 ? change : null }));
    const [last, third, first, fourth] = items;
    if (!last || !third || !first || !fourth) return;
    const done: BulkItem = { ...last, outcome: 'done', isHidden: true };
    await write(scope, async (s) => {
      await s.saveItems('run', items);
      await s.saveItems('other run', [anItem(1)]);
      await s.saveItems('run', [done]);
      await s.saveItems('run', []);
    });
    const of = (outcome: string, after: number, limit: number) =>
      read(scope, (s) => s.items('run', outcome, after, limit));
    expect(await of('pending', -1, 9)).to.deep.equal([first, third, fourth]);
    expect(await of('pending', 0, 1)).to.deep.equal([third]);
    expect(await of('done', -1, 9)).to.deep.equal([done]);
  });

  it('`addCounts` adds to counts, and `counts` returns all of a run that are not zero', async () => {
    const scope = newScope();
    const count = (isHidden: boolean, outcome: string, n: number) => ({
      isHidden,
      outcome,
      count: n,
    });
    await write(scope, async (s) => {
      await s.addCounts('run', [count(false, 'pending', 5), count(true, 'pending', 2)]);
      await s.addCounts('run', [count(false, 'pending', -5), count(false, 'done', 4)]);
      await s.addCounts('run', [count(false, 'in_trash', 1)]);
      await s.addCounts('other run', [count(false, 'done', 9)]);
    });
    expect(await read(scope, (s) => s.counts('run'))).to.deep.equal([
      count(false, 'done', 4),
      count(false, 'in_trash', 1),
      count(true, 'pending', 2),
    ]);
  });

  it("`setObjectVisibility` changes an object's items and the counts of their runs with them", async () => {
    const scope = newScope();
    const item = anItem(0);
    const other = anItem(1);
    const visible = { isHidden: false, outcome: 'pending', count: 2 };
    await write(scope, async (s) => {
      for (const run of ['one', 'two']) {
        await s.saveItems(run, [item, other]);
        await s.addCounts(run, [visible]);
      }
    });
    for (const again of [true, true]) {
      await write(scope, (s) => s.setObjectVisibility(item.objectId, again));
      for (const run of ['one', 'two']) {
        expect(await read(scope, (s) => s.items(run, 'pending', -1, 9))).to.deep.equal([
          { ...item, isHidden: true },
          other,
        ]);
        expect(await read(scope, (s) => s.counts(run))).to.deep.equal([
          { ...visible, count: 1 },
          { ...visible, isHidden: true, count: 1 },
        ]);
      }
    }
    await write(scope, (s) => s.setObjectVisibility(item.objectId, false));
    expect(await read(scope, (s) => s.counts('one'))).to.deep.equal([visible]);
    expect(await read(scope, (s) => s.items('one', 'pending', -1, 9))).to.deep.equal([item, other]);
  });

  it('`forgetObject` removes the items of an object from every run and leaves the counts', async () => {
    const scope = newScope();
    const [item, other] = [anItem(0), anItem(1)];
    const counted = { isHidden: false, outcome: 'pending', count: 2 };
    await write(scope, async (s) => {
      for (const run of ['one', 'two']) {
        await s.saveItems(run, [item, other]);
        await s.addCounts(run, [counted]);
      }
      await s.forgetObject(item.objectId);
    });
    for (const run of ['one', 'two']) {
      expect(await read(scope, (s) => s.items(run, 'pending', -1, 9))).to.deep.equal([other]);
      expect(await read(scope, (s) => s.counts(run))).to.deep.equal([counted]);
    }
  });

  it('`removeItems` removes at most `limit` items of a run and returns how many it removed', async () => {
    const scope = newScope();
    await write(scope, async (s) => {
      await s.saveItems(
        'run',
        [0, 1, 2, 3, 4].map((ord) => anItem(ord)),
      );
      await s.saveItems('other run', [anItem(0)]);
    });
    const removed: number[] = [];
    for (let i = 0; i < 4; i++) removed.push(await write(scope, (s) => s.removeItems('run', 2)));
    expect(removed).to.deep.equal([2, 2, 1, 0]);
    expect(await read(scope, (s) => s.items('other run', 'pending', -1, 9))).to.have.length(1);
  });

  it('`remove` removes a run with its counts, and no other run', async () => {
    const scope = newScope();
    const [one, two] = [aRun(), aRun()];
    const counted = { isHidden: false, outcome: 'done', count: 1 };
    await write(scope, async (s) => {
      for (const run of [one, two]) {
        await s.save(run);
        await s.addCounts(run.id, [counted]);
      }
      await s.remove(one.id);
    });
    expect(await read(scope, (s) => s.find(one.id))).to.equal(undefined);
    expect(await read(scope, (s) => s.counts(one.id))).to.deep.equal([]);
    expect(await read(scope, (s) => s.find(two.id))).to.deep.equal(two);
    expect(await read(scope, (s) => s.counts(two.id))).to.deep.equal([counted]);
  });

  it("Another owner's runs are out of reach", async () => {
    const [mine, other] = [newScope(), newScope()];
    const run = aRun({ state: 'PROGRESS' });
    const item = anItem(0);
    const counted = { isHidden: false, outcome: 'pending', count: 1 };
    await write(mine, async (s) => {
      await s.save(run);
      await s.saveItems(run.id, [item]);
      await s.addCounts(run.id, [counted]);
    });
    await write(other, async (s) => {
      expect(await s.find(run.id)).to.equal(undefined);
      expect(await s.unfinished(null)).to.equal(0);
      expect(await s.items(run.id, 'pending', -1, 9)).to.deep.equal([]);
      expect(await s.counts(run.id)).to.deep.equal([]);
      await s.setObjectVisibility(item.objectId, true);
      await s.forgetObject(item.objectId);
      expect(await s.removeItems(run.id, 9)).to.equal(0);
      await s.remove(run.id);
    });
    expect(await read(mine, (s) => s.find(run.id))).to.deep.equal(run);
    expect(await read(mine, (s) => s.items(run.id, 'pending', -1, 9))).to.deep.equal([item]);
    expect(await read(mine, (s) => s.counts(run.id))).to.deep.equal([counted]);
  });
}
