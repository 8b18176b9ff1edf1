import { expect } from 'chai';
import fc from 'fast-check';
import type { PlannedMove, PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { newId, newScope, orNull, texts, wholes } from '../samples.ts';

const aRun = (over: Partial<Reorganization> = {}): Reorganization => ({
  id: newId(),
  scope: 'all',
  dryRun: false,
  state: 'SUCCESS',
  phase: 'done',
  planned: true,
  total: 3,
  processed: 3,
  moved: 2,
  skipped: 1,
  createdFolders: 1,
  createdThemes: 0,
  createdAt: 1_000,
  updatedAt: 2_000,
  ...over,
});
const aPlace = (over: Partial<PlannedLocation> = {}): PlannedLocation => ({
  id: newId(),
  kind: 'folder',
  name: 'Invoices',
  description: '',
  icon: '',
  themeId: null,
  resolvedId: null,
  ...over,
});
const aMove = (ord: number, over: Partial<PlannedMove> = {}): PlannedMove => ({
  objectId: newId(),
  ord,
  from: null,
  to: 'folder',
  state: 'planned',
  undone: false,
  ...over,
});

const runs = (): fc.Arbitrary<Reorganization> =>
  fc
    .record({
      scope: fc.constantFrom('uncategorized', 'all'),
      dryRun: fc.boolean(),
      state: fc.constantFrom('PENDING', 'PROGRESS', 'SUCCESS', 'FAILURE'),
      phase: texts(),
      planned: fc.boolean(),
      total: wholes(),
      processed: wholes(),
      moved: wholes(),
      skipped: wholes(),
      createdFolders: wholes(),
      createdThemes: wholes(),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((over) => aRun(over));

/** The contract of every ReorganizationStore. */
export function reorganizationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['reorganizations'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.reorganizations));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.reorganizations));

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

  it('`unfinished` returns the run that is pending or in progress, and nothing once it has ended', async () => {
    const scope = newScope();
    const run = aRun();
    await write(scope, (s) => s.save(aRun({ state: 'FAILURE' })));
    const seen: unknown[] = [];
    for (const state of ['PENDING', 'PROGRESS', 'SUCCESS', 'FAILURE'] as const) {
      await write(scope, (s) => s.save({ ...run, state }));
      seen.push((await read(scope, (s) => s.unfinished()))?.state);
    }
    expect(seen).to.deep.equal(['PENDING', 'PROGRESS', undefined, undefined]);
  });

  it('`savePlace` inserts or replaces a planned folder of a run, and `places` returns all of them by id', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            kind: fc.constantFrom('folder', 'theme'),
            name: texts(),
            description: texts(),
            icon: texts(),
            themeId: orNull(fc.constantFrom('t1', 't2')),
            resolvedId: orNull(fc.constantFrom('f1', 'f2')),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (records) => {
          const scope = newScope();
          const places = records.map((record) => aPlace(record));
          const [first] = places;
          if (!first) return;
          await write(scope, async (s) => {
            for (const place of places.toReversed()) await s.savePlace('run', place);
            await s.savePlace('other run', aPlace());
            await s.savePlace('run', { ...first, resolvedId: 'again' });
          });
          const expected = places
            .map((place) => (place === first ? { ...first, resolvedId: 'again' } : place))
            .toSorted((a, b) => (a.id < b.id ? -1 : 1));
          expect(await read(scope, (s) => s.places('run'))).to.deep.equal(expected);
        },
      ),
      { numRuns: 15 },
    ));

  it('`movesOf` returns the moves of these objects in one run, in order', async () => {
    const scope = newScope();
    const moves = [2, 0, 1].map((ord) => aMove(ord));
    const [third, first] = moves.map(({ objectId }) => objectId);
    await write(scope, async (s) => {
      for (const move of moves) await s.saveMove('run', move);
      await s.saveMove('other run', aMove(0, { objectId: first ?? '' }));
    });
    const of = (ids: readonly string[]) => read(scope, (s) => s.movesOf('run', ids));
    expect(await of([third ?? '', first ?? '', newId()])).to.deep.equal([moves[1], moves[0]]);
    expect(await of([])).to.deep.equal([]);
  });

  it('`page` lists the runs newest first, then by id, descending, with their total', async () => {
    const scope = newScope();
    const some = [5, 9, 5, 1].map((createdAt) => aRun({ createdAt }));
    await write(scope, async (s) => {
      for (const run of some) await s.save(run);
    });
    const newest = some.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    const page = (limit: number, offset: number) => read(scope, (s) => s.page({ limit, offset }));
    expect(await page(3, 0)).to.deep.equal({ items: newest.slice(0, 3), total: 4 });
    expect(await page(3, 3)).to.deep.equal({ items: newest.slice(3), total: 4 });
    expect(await read(newScope(), (s) => s.page({ limit: 3, offset: 0 }))).to.deep.equal({
      items: [],
      total: 0,
    });
  });

  it('`saveMove` inserts or replaces the move of an object, and `moves` returns those of one state in order, after a given one and at most `limit`', async () => {
    const scope = newScope();
    const moves = [12, 3, 0, 7].map((ord) => aMove(ord, { from: ord > 5 ? 'somewhere' : null }));
    const [last, third, first, ...rest] = moves;
    if (!last || !third || !first) return;
    const gone = { ...last, state: 'moved', undone: true, to: 'elsewhere' } as const;
    await write(scope, async (s) => {
      for (const move of moves) await s.saveMove('run', move);
      await s.saveMove('other run', aMove(1));
      await s.saveMove('run', gone);
    });
    const look = (state: PlannedMove['state'], after: number, limit: number) =>
      read(scope, (s) => s.moves('run', state, after, limit));
    expect(await look('planned', -1, 9)).to.deep.equal([first, third, ...rest]);
    expect(await look('planned', 0, 1)).to.deep.equal([third]);
    expect(await look('planned', 7, 9)).to.deep.equal([]);
    expect(await look('moved', -1, 9)).to.deep.equal([gone]);
    expect(await look('skipped', -1, 9)).to.deep.equal([]);
  });

  it('`dropPlan` removes the moves and planned folders of one run only', async () => {
    const scope = newScope();
    const [one, two] = [aMove(0), aMove(0)];
    const [here, there] = [aPlace(), aPlace()];
    await write(scope, async (s) => {
      await s.saveMove('one', one);
      await s.saveMove('two', two);
      await s.savePlace('one', here);
      await s.savePlace('two', there);
      await s.dropPlan('one');
    });
    const left = await read(scope, async (s) => [
      await s.moves('one', 'planned', -1, 9),
      await s.places('one'),
      await s.moves('two', 'planned', -1, 9),
      await s.places('two'),
    ]);
    expect(left).to.deep.equal([[], [], [two], [there]]);
  });

  it('`pruneToNewest` removes all but the newest runs, with their moves and planned folders', async () => {
    const scope = newScope();
    const all = [3, 1, 2, 2].map((createdAt) => aRun({ createdAt }));
    const move = aMove(0);
    await write(scope, async (s) => {
      for (const run of all) {
        await s.save(run);
        await s.saveMove(run.id, move);
        await s.savePlace(run.id, aPlace());
      }
      await s.pruneToNewest(2);
    });
    const later = all
      .filter((run) => run.createdAt === 2)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const stored = new Set([all[0]?.id, later[0]?.id]);
    for (const { id } of all) {
      const seen = await read(scope, async (s) => [
        (await s.find(id)) !== undefined,
        (await s.moves(id, 'planned', -1, 9)).length === 1,
        (await s.places(id)).length === 1,
      ]);
      expect(seen).to.deep.equal([stored.has(id), stored.has(id), stored.has(id)]);
    }
  });

  it('`forgetObject` removes the moves of an object from every run', async () => {
    const scope = newScope();
    const [gone, stored] = [aMove(0, { state: 'moved' }), aMove(1, { state: 'moved' })];
    await write(scope, async (s) => {
      for (const run of ['one', 'two'])
        for (const move of [gone, stored]) await s.saveMove(run, move);
      await s.forgetObject(gone.objectId);
    });
    for (const run of ['one', 'two'])
      expect(await read(scope, (s) => s.moves(run, 'moved', -1, 9))).to.deep.equal([stored]);
  });

  it("Another owner's runs are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const run = aRun({ state: 'PROGRESS' });
    const move = aMove(0);
    const place = aPlace();
    await write(mine, async (s) => {
      await s.save(run);
      await s.saveMove(run.id, move);
      await s.savePlace(run.id, place);
    });
    await write(theirs, async (s) => {
      await s.pruneToNewest(0);
      await s.dropPlan(run.id);
      await s.forgetObject(move.objectId);
    });
    const look = (scope: OwnerScope) =>
      read(scope, async (s) => [
        await s.find(run.id),
        await s.unfinished(),
        await s.moves(run.id, 'planned', -1, 9),
        await s.places(run.id),
      ]);
    expect(await look(theirs)).to.deep.equal([undefined, undefined, [], []]);
    expect(await look(mine)).to.deep.equal([run, run, [move], [place]]);
  });
}
