import type { JobQueue, Nudge } from '../../ports/jobs.ts';
import type { Task, TaskStore } from '../../ports/tasks.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';

export type TaskNudge = Nudge;

/** Duration of a claim. Its worker renews it, so an expired claim belongs to a crashed process. */
const LEASE_MS = 20_000;
/** Renewal interval: a few renewals may be late or fail before the claim expires. */
export const LEASE_RENEWAL_MS = 5_000;
/** Maximum number of failed attempts. */
export const MAX_ATTEMPTS = 3;
export const isLastAttempt = ({ attempts }: Task): boolean => attempts >= MAX_ATTEMPTS;
/** Maximum number of claims. More than attempts, because a process may also end for reasons unrelated to the task. */
export const MAX_CLAIMS = 12;
const FIRST_PAUSE_MS = 2_000;

export function newTask(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  kind: string,
  subject: string,
  payload: Readonly<Record<string, unknown>>,
): Task {
  const now = deps.clock.now();
  return {
    id: deps.random.uuid(),
    kind,
    subject,
    payload,
    state: 'waiting',
    attempts: 0,
    dueAt: now,
    leaseUntil: null,
    error: null,
    createdAt: now,
  };
}

/** The task as claimed by this process; undefined if it is not due, claimed, or ended. */
export function claim(task: Task, now: Instant): Task | undefined {
  const free =
    task.state === 'waiting' ? task.dueAt <= now : task.state === 'running' && lapsed(task, now);
  if (!free) return undefined;
  return { ...task, state: 'running', attempts: task.attempts + 1, leaseUntil: now + LEASE_MS };
}

/** Extends the claim; undefined if it was lost. */
export const renewLease = (task: Task, now: Instant): Task | undefined =>
  task.state === 'running' ? { ...task, leaseUntil: now + LEASE_MS } : undefined;

const lapsed = (task: Task, now: Instant) => task.leaseUntil !== null && task.leaseUntil <= now;

/** After a failed attempt: retried after a delay that doubles. */
export function scheduleRetry(task: Task, error: string, now: Instant): Task {
  return {
    ...task,
    state: 'waiting',
    leaseUntil: null,
    error,
    dueAt: now + FIRST_PAUSE_MS * 2 ** (task.attempts - 1),
  };
}

/** Released without counting an attempt: the process is closing or a dependency was unavailable. */
export function releaseClaim(task: Task, now: Instant, pauseMs: number): Task {
  return {
    ...task,
    state: 'waiting',
    attempts: task.attempts - 1,
    leaseUntil: null,
    dueAt: now + pauseMs,
  };
}

/** Reschedules the task without counting an attempt. A task deleted with its subject is not restored. */
export async function reschedule(
  tasks: TaskStore,
  taskId: string,
  dueAt: Instant,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const found = await tasks.find(taskId);
  if (found)
    await tasks.save({
      ...found,
      payload,
      dueAt,
      state: 'waiting',
      attempts: 0,
      leaseUntil: null,
      error: null,
    });
}

/** A long-running task has made progress, so earlier claims no longer count. */
export async function resetAttempts(tasks: TaskStore, taskId: string): Promise<void> {
  const found = await tasks.find(taskId);
  if (found && found.attempts > 1) await tasks.save({ ...found, attempts: 1 });
}

/** Enqueues tasks that were just committed. The sweeper enqueues those whose nudge is lost. */
export async function enqueueAll(jobs: JobQueue, nudges: readonly TaskNudge[]): Promise<void> {
  for (const nudge of nudges) await jobs.enqueue(nudge);
}
