import type { BulkCount, BulkItem, BulkRun } from '../../ports/bulk-runs.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Task } from '../../ports/tasks.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneOfBackground, type Zone } from '../hidden-zone/index.ts';
import { enqueueAll, reschedule, type TaskHandler, type TaskNudge } from '../tasks/index.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import {
  changeItem,
  putBackItem,
  type BulkChange,
  type ChangeResult,
  type ChangeStores,
} from './bulk-change.ts';
import { addExpiry, endRun, hasEndedRun, type RunDeps } from './bulk-run.ts';
import { missingFolder } from './bulk-update.ts';

type TaskStores = ChangeStores & Pick<Stores, 'collections' | 'pinLock'>;

export interface BulkTaskDeps extends RunDeps {
  readonly uow: UnitOfWork<keyof TaskStores>;
  readonly jobs: JobQueue;
  readonly scheduler: Scheduler;
}

/** Objects listed, changed and removed per transaction. */
const LISTED_AT_ONCE = 200;
const CHANGED_AT_ONCE = 50;
const REMOVED_AT_ONCE = 500;
const SLICE = 5;

/**
 * Works on a run: lists its objects, then changes them, in steps that are committed with their progress. However often a
 * worker crashes, each object is changed once. When the run expires, the same task removes it.
 */
export const runBulk = (deps: BulkTaskDeps): TaskHandler => ({
  run: async (scope, task) => {
    const run = await deps.uow.read(scope, ({ bulkRuns }) => bulkRuns.find(task.subject));
    if (!run || hasEndedRun(run)) return expire(deps, scope, task);
    // As its caller, who may be bound to folders.
    const bound = run.folderIds ? { ...scope, folderIds: run.folderIds } : scope;
    while (await list(deps, bound, task)) await deps.scheduler.yield();
    while (await changeSome(deps, bound, task)) await deps.scheduler.yield();
  },
  abandon: async (scope, task) => {
    await deps.uow.write(scope, async (stores) => {
      const run = await stores.bulkRuns.find(task.subject);
      if (run && !hasEndedRun(run))
        await addExpiry(deps, stores, await endRun(deps, stores, run, 'FAILURE'));
      await stores.tasks.remove(task.id);
    });
  },
});

/** The unfinished run of the task, if this worker still holds its claim. */
async function claimed(
  { bulkRuns, tasks }: Pick<Stores, 'bulkRuns' | 'tasks'>,
  task: Task,
): Promise<BulkRun | undefined> {
  const claim = await tasks.find(task.id);
  if (claim?.attempts !== task.attempts) return undefined;
  const run = await bulkRuns.find(task.subject);
  return run && !hasEndedRun(run) ? run : undefined;
}

/** Adds the next objects to the run. Returns whether more remain. */
async function list(deps: BulkTaskDeps, scope: OwnerScope, task: Task): Promise<boolean> {
  return deps.uow.write(scope, async (stores) => {
    const run = await claimed(stores, task);
    if (!run || run.isCollected) return false;
    const next = run.undoOf === null ? await matching(stores, run) : await undoable(stores, run);
    await stores.bulkRuns.saveItems(run.id, next.items);
    await stores.bulkRuns.addCounts(
      run.id,
      [true, false].map((isHidden) => ({
        isHidden,
        outcome: 'pending',
        count: next.items.filter((item) => item.isHidden === isHidden).length,
      })),
    );
    await stores.bulkRuns.save({
      ...run,
      ...next.reached,
      ...(next.reached.isCollected && { nextOrd: 0 }),
      state: 'PROGRESS',
      updatedAt: deps.clock.now(),
    });
    return !next.reached.isCollected;
  });
}

interface Listed {
  readonly items: readonly BulkItem[];
  readonly reached: Pick<BulkRun, 'isCollected' | 'nextOrd' | 'position'>;
}

/** The next objects that the filter selects. */
async function matching(stores: TaskStores, run: BulkRun): Promise<Listed> {
  const { filter, position, nextOrd } = run;
  if (!filter || !position) return { items: [], reached: { ...run, isCollected: true } };
  const page = await stores.objects.page(filter, { limit: LISTED_AT_ONCE, after: position });
  const except = new Set(run.except);
  const items = page.items
    .filter(({ id }) => !except.has(id))
    .map(({ id, isHidden }, i): BulkItem => ({
      objectId: id,
      ord: nextOrd + i,
      isHidden,
      outcome: 'pending',
      change: null,
    }));
  return {
    items,
    reached: {
      isCollected: page.next === null,
      nextOrd: nextOrd + items.length,
      position: page.next ?? position,
    },
  };
}

/** The next objects that the other run changed, with the change that puts them back. */
async function undoable(stores: TaskStores, run: BulkRun): Promise<Listed> {
  const { nextOrd, undoOf } = run;
  const changed = await stores.bulkRuns.items(undoOf ?? '', 'done', nextOrd - 1, LISTED_AT_ONCE);
  const zone = await zoneOf(stores, run);
  // An object that the caller does not see is left out like one that was erased.
  const found = await stores.objects.findMany(changed.map(({ objectId }) => objectId));
  const seen = new Set(found.filter((each) => canSee(each, zone)).map(({ id }) => id));
  return {
    items: changed.flatMap((item): BulkItem[] =>
      item.change && seen.has(item.objectId)
        ? [
            {
              ...item,
              outcome: 'pending',
              change: { from: item.change.to, to: item.change.from },
            },
          ]
        : [],
    ),
    reached: {
      isCollected: changed.length < LISTED_AT_ONCE,
      nextOrd: (changed.at(-1)?.ord ?? nextOrd - 1) + 1,
      position: null,
    },
  };
}

/** A PIN that was set after the start closes the zone for a run from before. */
const zoneOf = async (
  { pinLock }: Pick<Stores, 'pinLock'>,
  { zone }: Pick<BulkRun, 'zone'>,
): Promise<Zone> => (zone === 'unset' ? zoneOfBackground(pinLock) : zone);

/** Changes the next objects. Returns whether more remain. */
async function changeSome(deps: BulkTaskDeps, scope: OwnerScope, task: Task): Promise<boolean> {
  const { remains, nudges } = await deps.uow.write(scope, async (stores) => {
    const run = await claimed(stores, task);
    if (!run) return { remains: false, nudges: [] };
    // From the last change on: a database may have to skip the index entries of all items before.
    const after = run.nextOrd - 1;
    const items = await stores.bulkRuns.items(run.id, 'pending', after, CHANGED_AT_ONCE);
    const nudges = await changeItems(deps, stores, run, items);
    const remains = items.length === CHANGED_AT_ONCE;
    const nextOrd = (items.at(-1)?.ord ?? after) + 1;
    if (remains) await stores.bulkRuns.save({ ...run, nextOrd, updatedAt: deps.clock.now() });
    else {
      const { expiresAt } = await endRun(deps, stores, run, 'SUCCESS');
      await reschedule(stores.tasks, task.id, expiresAt ?? deps.clock.now());
    }
    return { remains, nudges };
  });
  await enqueueAll(deps.jobs, nudges);
  return remains;
}

async function changeItems(
  deps: BulkTaskDeps,
  stores: TaskStores,
  run: BulkRun,
  items: readonly BulkItem[],
): Promise<readonly TaskNudge[]> {
  const zone = await zoneOf(stores, run);
  const change = changeOf(run);
  const folderCode = run.undoOf === null ? await missingFolder(stores, change) : undefined;
  const nudges: TaskNudge[] = [];
  const counts: BulkCount[] = [];
  const left: BulkItem[] = [];
  for (const [i, item] of items.entries()) {
    // An embedded database completes without yielding, which would block all other requests of the process.
    if (i > 0 && i % SLICE === 0) await deps.scheduler.yield();
    const result = await changeOneItem(deps, stores, zone, item, change, folderCode);
    // Where the object is now, and so are its items.
    const isHidden = result.object?.isHidden ?? item.isHidden;
    const { outcome } = result;
    nudges.push(...result.nudges);
    counts.push({ isHidden, outcome: 'pending', count: -1 }, { isHidden, outcome, count: 1 });
    if (result.erasedHidden === undefined)
      left.push({ ...item, isHidden, outcome, change: result.change });
  }
  await stores.bulkRuns.saveItems(run.id, left);
  await stores.bulkRuns.addCounts(run.id, counts);
  return nudges;
}

const changeOneItem = async (
  deps: BulkTaskDeps,
  stores: TaskStores,
  zone: Zone,
  item: BulkItem,
  change: BulkChange,
  folderCode: string | undefined,
): Promise<ChangeResult> => {
  if (folderCode !== undefined)
    return { outcome: folderCode, object: undefined, change: null, nudges: [] };
  return item.change
    ? putBackItem(deps, stores, zone, item.objectId, item.change)
    : changeItem(deps, stores, zone, item.objectId, change);
};

function changeOf({ action, collectionId, categories }: BulkRun): BulkChange {
  if (action === 'move') return { action, collectionId };
  if (action === 'categorize') return { action, categories };
  return { action };
}

/** Removes an expired run, its items first, since there may be many. */
async function expire(deps: BulkTaskDeps, scope: OwnerScope, task: Task): Promise<void> {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE;) {
    removed = await deps.uow.write(scope, async (stores) => {
      const { bulkRuns, tasks } = stores;
      const run = await bulkRuns.find(task.subject);
      if (run?.expiresAt && run.expiresAt > deps.clock.now()) {
        await reschedule(tasks, task.id, run.expiresAt);
        return 0;
      }
      const count = run ? await bulkRuns.removeItems(run.id, REMOVED_AT_ONCE) : 0;
      if (count < REMOVED_AT_ONCE) {
        await bulkRuns.remove(task.subject);
        await tasks.remove(task.id);
      }
      return count;
    });
    await deps.scheduler.yield();
  }
}
