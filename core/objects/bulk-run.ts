import type { BulkRun } from '../../ports/bulk-runs.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Zone } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newTask, reschedule, type TaskNudge } from '../tasks/index.ts';
import { tooManyBulkRuns } from './errors.ts';

export const BULK_TASK = 'objects.bulk';
/** How long a run can be undone after its end. */
export const UNDO_MS = 24 * 3_600_000;
/** Runs of one binding at a time. */
export const MAX_UNFINISHED_RUNS = 3;
/** Stored runs of one binding: in the background, and by ids. */
export const MAX_STORED_RUNS = { background: 20, immediate: 200 };
/** Runs removed early by one request; each request adds one. */
const MAX_DISPLACED = 5;
const RETRY_SECONDS = 5;

type RunStores = Pick<Stores, 'bulkRuns' | 'tasks'>;

export interface RunDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** A run as it starts. `over` has what it works on. */
export function newRun(
  deps: RunDeps,
  caller: Pick<Caller, 'scope'>,
  zone: Zone,
  over: Pick<BulkRun, 'action'> & Partial<BulkRun>,
): BulkRun {
  const now = deps.clock.now();
  const { folderIds } = caller.scope;
  return {
    id: deps.random.uuid(),
    collectionId: null,
    categories: [],
    filter: null,
    except: [],
    undoOf: null,
    isBackground: true,
    isConcealed: false,
    zone,
    folderIds: folderIds ? [...new Set(folderIds)].sort() : null,
    state: 'PENDING',
    isCollected: false,
    position: null,
    nextOrd: 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
    ...over,
  };
}

/**
 * Stores a new run with its task, which works on it and later removes it. Rejects a run beyond those that may be
 * unfinished. The oldest of too many stored runs expire.
 */
export async function addRun(
  deps: RunDeps,
  stores: RunStores,
  run: BulkRun,
): Promise<readonly TaskNudge[]> {
  const { bulkRuns, tasks } = stores;
  if (run.isBackground && (await bulkRuns.unfinished(run.folderIds)) >= MAX_UNFINISHED_RUNS)
    throw tooManyBulkRuns({}, RETRY_SECONDS);
  const now = deps.clock.now();
  await bulkRuns.save(run);
  const task: Task = {
    id: run.id,
    kind: BULK_TASK,
    subject: run.id,
    payload: {},
    state: 'waiting',
    attempts: 0,
    dueAt: run.expiresAt ?? now,
    leaseUntil: null,
    error: null,
    createdAt: now,
  };
  await tasks.save(task);
  // One in the background is not among the ended ones yet.
  const newest = run.isBackground ? MAX_STORED_RUNS.background - 1 : MAX_STORED_RUNS.immediate;
  for (const old of await bulkRuns.beyond(run, newest, now, MAX_DISPLACED))
    await expireAt(stores, old, now);
  return run.isBackground ? [{ kind: BULK_TASK, taskId: run.id }] : [];
}

/** The run is removed from then on. */
async function expireAt({ bulkRuns, tasks }: RunStores, run: BulkRun, at: number): Promise<void> {
  await bulkRuns.save({ ...run, expiresAt: at });
  for (const { id } of await tasks.findFor(run.id, BULK_TASK)) await reschedule(tasks, id, at);
}

/** The end of a run. Objects that were erased before their turn count as not found. */
export async function endRun(
  deps: RunDeps,
  stores: RunStores,
  run: BulkRun,
  state: 'SUCCESS' | 'FAILURE',
): Promise<BulkRun> {
  const now = deps.clock.now();
  const ended: BulkRun = { ...run, state, updatedAt: now, expiresAt: now + UNDO_MS };
  if (state === 'SUCCESS')
    for (const { isHidden, outcome, count } of await stores.bulkRuns.counts(run.id))
      if (outcome === 'pending')
        await stores.bulkRuns.addCounts(run.id, [
          { isHidden, outcome, count: -count },
          { isHidden, outcome: 'not_found', count },
        ]);
  await stores.bulkRuns.save(ended);
  return ended;
}

/** After a failure the task of the work is lost, so another one removes the run. */
export async function addExpiry(
  deps: RunDeps,
  { tasks }: Pick<Stores, 'tasks'>,
  { id, expiresAt }: BulkRun,
): Promise<void> {
  const task = newTask(deps, BULK_TASK, id, {});
  await tasks.save({ ...task, dueAt: expiresAt ?? task.dueAt });
}

export const hasEndedRun = ({ state }: BulkRun): boolean =>
  state === 'SUCCESS' || state === 'FAILURE';
