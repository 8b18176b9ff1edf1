import type { Directory, TaskKinds } from '../../ports/directory.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  MAX_CLAIMS,
  scheduleRetry,
  claim,
  renewLease,
  releaseClaim,
  isLastAttempt,
} from './tasks.ts';

/**
 * The handler of one kind of task. `run` removes the task in the transaction of its effect. `abandon` marks the
 * subject as failed after the last attempt.
 */
export interface TaskHandler {
  run(scope: OwnerScope, task: Task): Promise<void>;
  abandon(scope: OwnerScope, task: Task, reason: string): Promise<void>;
}
export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

export interface RunDeps {
  readonly uow: UnitOfWork<'tasks'>;
  readonly directory: Directory;
  readonly clock: Clock;
}

const OUTAGE_PAUSE_MS = 10_000;

/** Runs a task after a nudge. Does nothing if the task is deleted, claimed or not yet due. */
export async function runTask(
  deps: RunDeps,
  handlers: TaskHandlers,
  taskId: string,
): Promise<void> {
  const scope = await deps.directory.ownerOfTask(taskId);
  if (!scope) return;
  const task = await deps.uow.write(scope, async ({ tasks }) => {
    const found = await tasks.find(taskId);
    const mine = found && claim(found, deps.clock.now());
    if (mine) await tasks.save(mine);
    return mine;
  });
  if (!task) return;
  const handler = Object.hasOwn(handlers, task.kind) ? handlers[task.kind] : undefined;
  if (!handler) return;
  // Too many claims: every worker so far has crashed over it.
  if (task.attempts > MAX_CLAIMS) return end(deps, handler, scope, task, 'It ended its worker.');
  try {
    await handler.run(scope, task);
  } catch (error) {
    await recordFailure(deps, handler, scope, task, error);
    // Rethrown for the log; the row has the next step already.
    throw error;
  }
}

/** Renews the claim on a task that this process is running. Called every `LEASE_RENEWAL_MS` until it ends. */
export async function renewClaim(deps: RunDeps, taskId: string): Promise<void> {
  const scope = await deps.directory.ownerOfTask(taskId);
  if (!scope) return;
  await deps.uow.write(scope, async ({ tasks }) => {
    const found = await tasks.find(taskId);
    const stored = found && renewLease(found, deps.clock.now());
    if (stored) await tasks.save(stored);
  });
}

async function recordFailure(
  deps: RunDeps,
  handler: TaskHandler,
  scope: OwnerScope,
  task: Task,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const now = deps.clock.now();
  if (error instanceof UnavailableError)
    return put(deps, scope, releaseClaim(task, now, OUTAGE_PAUSE_MS));
  if (isLastAttempt(task)) return end(deps, handler, scope, task, reason);
  return put(deps, scope, scheduleRetry(task, reason, now));
}

/** The subject is updated first: after a crash in between, the next claim repeats this. */
async function end(
  deps: RunDeps,
  handler: TaskHandler,
  scope: OwnerScope,
  task: Task,
  reason: string,
): Promise<void> {
  await handler.abandon(scope, task, reason);
  await put(deps, scope, { ...task, state: 'failed', leaseUntil: null, error: reason });
}

async function put(deps: RunDeps, scope: OwnerScope, task: Task): Promise<void> {
  await deps.uow.write(scope, async ({ tasks }) => {
    const found = await tasks.find(task.id);
    // The task was deleted with its subject: there is nothing to retry. Effects of the run on the subject remain.
    if (found) await tasks.save({ ...task, payload: found.payload });
  });
}

/** Enqueues all tasks that are due or whose worker has crashed. Returns their number. */
export async function enqueueDueTasks(
  deps: { readonly directory: Directory; readonly clock: Clock; readonly jobs: JobQueue },
  limit: number,
  kinds?: TaskKinds,
): Promise<number> {
  const due = await deps.directory.dueTasks(deps.clock.now(), limit, kinds);
  for (const { id, kind } of due) await deps.jobs.enqueue({ kind, taskId: id });
  return due.length;
}
