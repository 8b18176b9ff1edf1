import { expect } from 'chai';
import fc from 'fast-check';
import type { BulkChange, ObjectListing } from '../../core/objects/index.ts';
import {
  codeOf,
  expectSound,
  fill,
  layout,
  lock,
  openBulkWorkspace,
  plain,
  progress,
  run,
  undo,
  type BulkWorkspace,
  type Fields,
  type Given,
} from './bulk-fixture.ts';

const HOUR_MS = 3_600_000;

const workspaces = (): fc.Arbitrary<readonly Given[]> =>
  fc.array(
    fc.record({
      isHidden: fc.boolean(),
      trashed: fc.boolean(),
      folder: fc.constantFrom(null, 0, 1),
      suggested: fc.constantFrom(null, null, 1, 2),
      categories: fc.constantFrom([], ['a'], ['b', 'a']),
    }),
    { maxLength: 30 },
  );

/** A change whose folder is an index. */
type Sketch =
  | Exclude<BulkChange, { readonly action: 'move' }>
  | { readonly action: 'move'; readonly folder: number | null };

const sketches = (): fc.Arbitrary<Sketch> =>
  fc.oneof(
    fc.record({ action: fc.constant('move' as const), folder: fc.constantFrom(null, 0, 1, 2) }),
    fc.record({
      action: fc.constant('categorize' as const),
      categories: fc.constantFrom([], ['a'], ['c']),
    }),
    fc.record({
      action: fc.constantFrom('trash', 'restore', 'hide', 'unhide', 'delete'),
    }),
  );

const changeOf = ({ folders }: BulkWorkspace, sketch: Sketch): BulkChange =>
  sketch.action === 'move'
    ? {
        action: 'move',
        collectionId: sketch.folder === null ? null : (folders[sketch.folder] ?? null),
      }
    : sketch;

interface Selection {
  readonly folder: 'any' | 'none' | 0 | 1;
  readonly trashed: boolean;
  readonly hidden: 'excluded' | 'included' | 'only';
}

const selections = (): fc.Arbitrary<Selection> =>
  fc.record({
    folder: fc.constantFrom<Selection['folder']>('any', 'none', 0, 1),
    trashed: fc.boolean(),
    hidden: fc.constantFrom('excluded', 'included', 'only'),
  });

const listingOf = ({ folders }: BulkWorkspace, sent: Selection): ObjectListing => ({
  ...(sent.folder === 'none'
    ? { uncategorized: true }
    : sent.folder !== 'any' && { collectionId: folders[sent.folder] ?? '' }),
  trashed: sent.trashed,
  includeHidden: sent.hidden === 'included',
  hiddenOnly: sent.hidden === 'only',
});

const selects = ({ folder, trashed, hidden }: Selection, given: Given): boolean =>
  given.trashed === trashed &&
  (folder === 'any' || given.folder === (folder === 'none' ? null : folder)) &&
  (hidden === 'included' || given.isHidden === (hidden === 'only'));

/** The single operation on the fields of one object: its error code, or the fields after it. */
function expected(before: Fields, change: BulkChange, now: number): Fields | undefined | string {
  if (change.action === 'delete') return undefined;
  if (change.action === 'trash' || change.action === 'restore') {
    const isThere = (before.deletedAt !== null) === (change.action === 'trash');
    return isThere ? before : { ...before, deletedAt: change.action === 'trash' ? now : null };
  }
  if (before.deletedAt !== null) return 'in_trash';
  if (change.action === 'categorize') return { ...before, categories: change.categories };
  if (change.action !== 'move') return { ...before, isHidden: change.action === 'hide' };
  return before.collectionId === change.collectionId
    ? before
    : { ...before, collectionId: change.collectionId, suggestedCollectionId: null };
}

const sum = (failed: readonly { readonly count: number }[]): number =>
  failed.reduce((total, { count }) => total + count, 0);

describe('a bulk run', () => {
  it('changes what its filter selects and nothing else; undo and redo put it back', () =>
    fc.assert(
      fc.asyncProperty(
        workspaces(),
        sketches(),
        selections(),
        fc.constantFrom('no PIN', 'unlocked'),
        fc.nat(3),
        async (given, sketch, selection, zone, left) => {
          const place = await openBulkWorkspace();
          const ids = await fill(place, given);
          const caller = zone === 'no PIN' ? place.world.caller : await lock(place);
          const except = ids.filter((_, i) => i % 4 === left);
          const before = await layout(place, ids);
          const change = changeOf(place, sketch);
          const id = await run(place, change, listingOf(place, selection), { except, caller });
          const chosen = ids.filter(
            (each, i) => !except.includes(each) && selects(selection, given[i]!),
          );
          const results = ids.map((each, i) =>
            chosen.includes(each) ? expected(before[i]!, change, place.world.now) : before[i],
          );
          const after = await layout(place, ids);
          expect(after).to.deep.equal(
            results.map((each, i) => (typeof each === 'string' ? before[i] : each)),
          );
          const trashed = results.filter((each) => each === 'in_trash').length;
          const ended = await progress(place, id, caller);
          expect(ended).to.deep.include({
            state: 'SUCCESS',
            total: chosen.length,
            done: chosen.length - trashed,
            failed: trashed === 0 ? [] : [{ code: 'in_trash', count: trashed }],
          });
          await expectSound(place);
          if (change.action === 'delete') {
            expect(await codeOf(undo(place, id, caller))).to.equal('not_undoable');
            return;
          }
          const changed = results.filter(
            (each, i) => typeof each !== 'string' && !isEqual(each, before[i]),
          ).length;
          const back = await undo(place, id, caller);
          expect(await layout(place, ids)).to.deep.equal(before);
          expect(await progress(place, back, caller)).to.deep.include({
            state: 'SUCCESS',
            total: changed,
            done: changed,
            failed: [],
          });
          const again = await undo(place, back, caller);
          expect(await layout(place, ids)).to.deep.equal(after);
          expect(await progress(place, again, caller)).to.deep.include({ done: changed });
          await expectSound(place);
        },
      ),
      { numRuns: 60 },
    ));

  it('never changes or counts a hidden object while the zone is locked', () =>
    fc.assert(
      fc.asyncProperty(workspaces(), sketches(), selections(), async (given, sketch, selection) => {
        const place = await openBulkWorkspace();
        const ids = await fill(place, given);
        await lock(place);
        const change = changeOf(place, sketch);
        const listing = listingOf(place, selection);
        if (selection.hidden === 'only') {
          expect(await codeOf(run(place, change, listing))).to.equal('hidden_locked');
          return;
        }
        const before = await layout(place, ids);
        const id = await run(place, change, listing);
        const after = await layout(place, ids);
        const chosen = given.filter(
          (each) => !each.isHidden && selects({ ...selection, hidden: 'included' }, each),
        );
        for (const [i, { isHidden }] of given.entries())
          if (isHidden) expect(after[i]).to.deep.equal(before[i]);
        const { total, done, failed } = await progress(place, id);
        expect(done + sum(failed)).to.equal(total);
        // What it has hidden is not counted either.
        const hides = change.action === 'hide' && !selection.trashed;
        expect(total).to.equal(hides ? 0 : chosen.length);
      }),
      { numRuns: 40 },
    ));

  it('is undone for objects only whose value was not changed since', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Given>(plain, { ...plain, folder: 1, categories: ['b'] }), {
          minLength: 1,
          maxLength: 12,
        }),
        sketches().filter(({ action }) => action !== 'delete'),
        fc.array(fc.tuple(fc.nat(11), sketches()), { maxLength: 6 }),
        async (given, sketch, later) => {
          const place = await openBulkWorkspace();
          const { caller, core } = place.world;
          const ids = await fill(place, given);
          const change = changeOf(place, sketch);
          const before = await layout(place, ids);
          const id = await run(place, change);
          const after = await layout(place, ids);
          place.world.now += 1_000;
          for (const [which, next] of later)
            await core.objects.updateMany(
              caller,
              [ids[which % ids.length]!],
              changeOf(place, next),
            );
          const since = await layout(place, ids);
          const back = await undo(place, id);
          const end = await layout(place, ids);
          const field = FIELD_OF[change.action as keyof typeof FIELD_OF];
          let done = 0;
          for (const [i, fields] of since.entries()) {
            const [was, became] = [before[i]!, after[i]!];
            const isSame = fields && isEqual(fields[field], became[field]);
            const mayMove = change.action !== 'move' || fields?.deletedAt === null;
            if (isEqual(was[field], became[field]) || !isSame || !mayMove)
              expect(end[i]).to.deep.equal(fields);
            else {
              done += 1;
              expect(end[i]).to.deep.equal({ ...fields, [field]: was[field] });
            }
          }
          const undone = await progress(place, back);
          expect(undone.done).to.equal(done);
          expect(undone.done + sum(undone.failed)).to.equal(undone.total);
          await expectSound(place);
        },
      ),
      { numRuns: 60 },
    ));

  it('has the same result wherever its process crashes', async () => {
    const given = Array.from({ length: 230 }, (_, i) => ({ ...plain, trashed: i % 7 === 0 }));
    const ended = async (dieAt: number, change: 'move' | 'delete' | 'undo') => {
      const place = await openBulkWorkspace();
      const ids = await fill(place, given);
      const { core, caller } = place.world;
      const move = { action: 'move', collectionId: place.folders[0] ?? '' } as const;
      const listing = { trashed: false };
      let id: string;
      if (change === 'undo')
        id = (await core.objects.undoBulk(caller, await run(place, move))).run.id;
      else
        id = (
          await core.objects.updateMatching(
            caller,
            listing,
            [],
            change === 'move' ? move : { action: change },
          )
        ).taskId;
      let writes = 0;
      place.hook.after = async () => {
        if (writes++ === dieAt) place.hook.dead = true;
      };
      await place.world.runPendingTasks();
      const died = place.hook.dead;
      Object.assign(place.hook, { dead: false, after: () => Promise.resolve() });
      place.world.now += 60_000;
      if (died) await core.background.runTask(id);
      await expectSound(place);
      const { state, total, done, failed } = await progress(place, id);
      const places = (await layout(place, ids)).map((each) => each && each.collectionId);
      const index = places.map((each) => each && place.folders.indexOf(each));
      return { writes, died, result: { state, total, done, failed, index } };
    };
    for (const change of ['move', 'delete', 'undo'] as const) {
      const whole = await ended(Infinity, change);
      expect(whole.result).to.deep.include({ state: 'SUCCESS', total: 197, done: 197 });
      expect(whole.writes).to.be.at.least(6);
      for (let dieAt = 0; dieAt < whole.writes; dieAt++) {
        const { died, result } = await ended(dieAt, change);
        expect(died, `${change}, write ${dieAt}`).to.equal(true);
        expect(result, `${change}, write ${dieAt}`).to.deep.equal(whole.result);
      }
    }
  }).timeout(120_000);

  it('is executed once if a second worker claims it from a slow first one', async () => {
    for (let when = 0, writes = 0; when <= writes; when++) {
      const place = await openBulkWorkspace();
      await fill(place, Array<Given>(120).fill(plain));
      const { core, caller } = place.world;
      const change = { action: 'trash' } as const;
      const { taskId } = await core.objects.updateMatching(caller, {}, [], change);
      writes = 0;
      place.hook.after = async () => {
        if (writes++ !== when) return;
        place.world.now += 60_000;
        await core.background.runTask(taskId);
      };
      await place.world.runPendingTasks();
      expect(await progress(place, taskId), `write ${when}`).to.deep.include({
        state: 'SUCCESS',
        total: 120,
        done: 120,
      });
      await expectSound(place);
    }
  }).timeout(60_000);

  it('counts objects that are erased or hidden before their turn as not found', async () => {
    for (const action of ['delete', 'hide'] as const) {
      const place = await openBulkWorkspace();
      const { core, caller } = place.world;
      const ids = await fill(place, Array<Given>(120).fill(plain));
      const touched = ids.filter((_, i) => i % 3 === 0);
      let writes = 0;
      const { taskId } = await core.objects.updateMatching(caller, {}, [], { action: 'trash' });
      place.hook.after = async () => {
        // The claim, and the list of the objects.
        if (writes++ === 1) await core.objects.updateMany(caller, touched, { action });
      };
      await place.world.runPendingTasks();
      const failed = [{ code: 'not_found', count: touched.length }];
      expect(await progress(place, taskId)).to.deep.include({ total: 120, done: 80, failed });
      await lock(place);
      const shown =
        action === 'delete'
          ? { total: 120, done: 80, failed }
          : { total: 80, done: 80, failed: [] };
      expect(await progress(place, taskId)).to.deep.include(shown);
      await expectSound(place);
    }
  });

  it('does not include objects that are added after its start', async () => {
    const place = await openBulkWorkspace();
    const { core, caller } = place.world;
    const ids = await fill(place, [plain, plain]);
    const { taskId } = await core.objects.updateMatching(caller, {}, [], { action: 'trash' });
    const added = await core.objects.addNote(caller, { content: 'later' });
    await place.world.runPendingTasks();
    expect(await progress(place, taskId)).to.deep.include({ total: 2, done: 2 });
    const [note] = await layout(place, [added.object.id]);
    expect(note?.deletedAt).to.equal(null);
    expect((await layout(place, ids)).every((each) => each?.deletedAt !== null)).to.equal(true);
  });

  it('by ids can be undone, with the objects that it found and changed', async () => {
    const place = await openBulkWorkspace();
    const { core, caller } = place.world;
    const ids = await fill(place, [plain, { ...plain, folder: 1 }, { ...plain, trashed: true }]);
    const before = await layout(place, ids);
    const change = { action: 'move', collectionId: place.folders[1] ?? '' } as const;
    const { taskId } = await core.objects.updateMany(caller, [...ids, 'no-such-object'], change);
    expect(await progress(place, taskId)).to.deep.include({
      state: 'SUCCESS',
      total: 4,
      done: 2,
      failed: [
        { code: 'in_trash', count: 1 },
        { code: 'not_found', count: 1 },
      ],
    });
    const back = await undo(place, taskId);
    expect(await layout(place, ids)).to.deep.equal(before);
    expect(await progress(place, back)).to.deep.include({ total: 1, done: 1, failed: [] });
  });

  it('counts no object that is hidden now while the zone is locked, and conceals a run on hidden ones', async () => {
    const place = await openBulkWorkspace();
    const { core, caller } = place.world;
    const ids = await fill(place, [plain, plain, { ...plain, isHidden: true }]);
    const open = await lock(place);
    const trash = { action: 'trash' } as const;
    const byIds = (await core.objects.updateMany(open, ids, trash)).taskId;
    expect(await progress(place, byIds, open)).to.deep.include({ total: 3, done: 3 });
    expect(await progress(place, byIds)).to.deep.include({ total: 2, done: 2 });
    // Locked, it puts back the visible ones only.
    const back = await undo(place, byIds);
    expect(await progress(place, back, open)).to.deep.include({ total: 2, done: 2 });
    const visible = await run(place, trash);
    await core.objects.restoreObject(caller, ids[0] ?? '');
    await core.objects.editObject(open, ids[0] ?? '', { isHidden: true });
    expect(await progress(place, visible)).to.deep.include({ total: 1, done: 1 });
    expect(await progress(place, visible, open)).to.deep.include({ total: 2, done: 2 });
    const all = await run(place, trash, { includeHidden: true }, { caller: open });
    expect(await progress(place, all, open)).to.deep.include({ total: 1, done: 1 });
    expect(await codeOf(progress(place, all))).to.equal('not_found');
    expect(await codeOf(undo(place, all))).to.equal('not_found');
    const undone = await undo(place, all, open);
    expect(await codeOf(progress(place, undone))).to.equal('not_found');
    expect((await layout(place, ids))[0]?.deletedAt).to.equal(null);
  });

  it('limits unfinished and stored runs, and is removed a day after its end', async () => {
    const place = await openBulkWorkspace();
    const { core, caller } = place.world;
    await fill(place, Array<Given>(1_100).fill(plain));
    const trash = { action: 'trash' } as const;
    const start = () => core.objects.updateMatching(caller, {}, [], trash);
    const first = (await start()).taskId;
    await start();
    await start();
    expect(await codeOf(start())).to.equal('too_many_bulk_runs');
    expect(await codeOf(undo(place, first))).to.equal('still_running');
    await place.world.runPendingTasks();
    for (let i = 0; i < 18; i++) await run(place, trash);
    expect(await codeOf(progress(place, first)), 'older than the newest 20').to.equal('not_found');
    await core.background.offerDueTasks();
    await place.world.runPendingTasks();
    const rows = () =>
      place.backend.uow.read(caller.scope, async ({ bulkRuns, tasks }) => [
        (await bulkRuns.find(first)) !== undefined,
        (await bulkRuns.items(first, 'done', -1, 9)).length,
        (await tasks.find(first)) !== undefined,
      ]);
    expect(await rows()).to.deep.equal([false, 0, false]);
    const last = await run(place, trash);
    place.world.now += 24 * HOUR_MS - 1;
    expect(await progress(place, last)).to.deep.include({ state: 'SUCCESS' });
    place.world.now += 1;
    expect(await codeOf(progress(place, last))).to.equal('not_found');
    expect(await codeOf(undo(place, last))).to.equal('not_found');
    await core.background.offerDueTasks();
    await place.world.runPendingTasks();
    await expectSound(place);
    const { items } = await place.backend.uow.read(caller.scope, (s) =>
      s.objects.page({ visibility: 'any', trashed: true }, { limit: 1, offset: 0 }),
    );
    expect(items, 'undoing is over, and its effect remains').to.have.length(1);
  }).timeout(60_000);

  it('of a caller that is bound to folders stays in them, and is its own', async () => {
    const place = await openBulkWorkspace();
    const { caller } = place.world;
    const [attic = '', cellar = '', shed = ''] = place.folders;
    const bound = { ...caller, scope: { ...caller.scope, folderIds: [cellar, attic] } };
    const other = { ...caller, scope: { ...caller.scope, folderIds: [cellar] } };
    const ids = await fill(
      place,
      [0, 1, 2, null].map((folder) => ({ ...plain, folder })),
    );
    const before = await layout(place, ids);
    const into = (collectionId: string | null) => ({ action: 'move', collectionId }) as const;
    const moved = await run(place, into(attic), {}, { caller: bound });
    expect((await layout(place, ids)).map((each) => each?.collectionId)).to.deep.equal([
      attic,
      attic,
      shed,
      null,
    ]);
    expect(await progress(place, moved, bound)).to.deep.include({ total: 2, done: 2 });
    expect(await codeOf(progress(place, moved, other))).to.equal('not_found');
    expect(await progress(place, moved)).to.deep.include({ total: 2, done: 2 });
    expect(await codeOf(run(place, into(shed), {}, { caller: bound }))).to.equal('not_found');
    const out = await run(place, into(null), {}, { caller: bound });
    expect(await progress(place, out, bound)).to.deep.include({
      done: 0,
      failed: [{ code: 'forbidden', count: 2 }],
    });
    const own = await run(place, { action: 'categorize', categories: ['x'] });
    expect(await codeOf(progress(place, own, bound))).to.equal('not_found');
    expect(await codeOf(undo(place, own, bound))).to.equal('not_found');
    await undo(place, own);
    await undo(place, moved, bound);
    expect(await layout(place, ids)).to.deep.equal(before);
    await expectSound(place);
  });
});

const FIELD_OF = {
  move: 'collectionId',
  categorize: 'categories',
  trash: 'deletedAt',
  restore: 'deletedAt',
  hide: 'isHidden',
  unhide: 'isHidden',
} as const;

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
