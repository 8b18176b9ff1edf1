import type { JobQueue } from '../../ports/jobs.ts';
import type { Reorganization, ReorganizationScope } from '../../ports/reorganizations.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newTask, enqueueAll } from '../tasks/index.ts';
import { alreadyRunning } from './errors.ts';

export const REORGANIZE_TASK = 'objects.reorganize';
/** Stored runs of an owner, with their moves. */
export const RUNS_KEPT = 20;

export interface StartDeps {
  readonly uow: UnitOfWork<'reorganizations' | 'tasks' | 'idempotency'>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Starts a run. An owner has at most one at a time. */
export async function startReorganization(
  deps: StartDeps,
  caller: Caller,
  input: { readonly scope: ReorganizationScope; readonly dryRun: boolean },
): Promise<{ readonly taskId: string }> {
  const task = await deps.uow.write(caller.scope, async (stores) => {
    await rejectWhileRunning(deps, stores);
    const created = newTask(deps, REORGANIZE_TASK, '', {});
    await stores.reorganizations.save(newRun(created.id, input, created.createdAt));
    await stores.reorganizations.pruneToNewest(RUNS_KEPT);
    await stores.tasks.save({ ...created, subject: created.id });
    await saveResponse(stores, deps.clock, caller, { taskId: created.id });
    return created;
  });
  await enqueueAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  return { taskId: task.id };
}

export async function rejectWhileRunning(
  deps: Pick<StartDeps, 'clock'>,
  { reorganizations, tasks }: Pick<Stores, 'reorganizations' | 'tasks'>,
): Promise<void> {
  const running = await reorganizations.unfinished();
  if (!running) return;
  const task = await tasks.find(running.id);
  if (task && task.state !== 'failed') throw alreadyRunning({ task_id: running.id });
  // No worker will continue it, so it must not block a new run.
  await reorganizations.save(abortRun(running, deps.clock.now()));
}

/** Completed moves remain and can be undone; the rest counts as skipped. */
export const abortRun = (run: Reorganization, now: number): Reorganization => ({
  ...run,
  state: 'FAILURE',
  processed: run.total,
  skipped: run.total - run.moved,
  updatedAt: now,
});

const newRun = (
  id: string,
  input: { readonly scope: ReorganizationScope; readonly dryRun: boolean },
  now: number,
): Reorganization => ({
  id,
  scope: input.scope,
  dryRun: input.dryRun,
  state: 'PENDING',
  phase: '',
  planned: false,
  total: 0,
  processed: 0,
  moved: 0,
  skipped: 0,
  createdFolders: 0,
  createdThemes: 0,
  createdAt: now,
  updatedAt: now,
});
