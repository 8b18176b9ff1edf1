import type { JobQueue, Nudge } from '../../ports/jobs.ts';
import type { Task, TaskStore } from '../../ports/tasks.ts';
import type { Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';

export type TaskNudge = Nudge;

/** A worker keeps its claim alive while it is at it, so that one that lapsed belongs to a process that died. */
const LEASE_MS = 20_000;
/** How often it has to: a few may be late or fail before the claim lapses. */
export const KEEP_CLAIM_MS = 5_000;
/** Attempts that may fail. */
export const MOST_ATTEMPTS = 3;
export const isLastAttempt = ({ attempts }: Task): boolean => attempts >= MOST_ATTEMPTS;
/** Claims in all. More than attempts, because a process also ends for reasons that are none of the task's. */
export const MOST_CLAIMS = 12;
const FIRST_PAUSE_MS = 2_000;

export function newTask(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  kind: string,
  subject: string,
  payload: Readonly<Record<string, unknown>>,
): Task {
  const now = deps.clock.now();
  return {
    id: deps.entropy.uuid(),
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

/** The task as this process takes it on, or nothing when it is not to be had: not due, taken, or ended. */
export function claimed(task: Task, now: Instant): Task | undefined {
  const free =
    task.state === 'waiting' ? task.dueAt <= now : task.state === 'running' && lapsed(task, now);
  if (!free) return undefined;
  return { ...task, state: 'running', attempts: task.attempts + 1, leaseUntil: now + LEASE_MS };
}

/** The same claim for a while longer; nothing when there is none any more. */
export const extended = (task: Task, now: Instant): Task | undefined =>
  task.state === 'running' ? { ...task, leaseUntil: now + LEASE_MS } : undefined;

const lapsed = (task: Task, now: Instant) => task.leaseUntil !== null && task.leaseUntil <= now;

/** After a failed attempt: once more after a pause that doubles. */
export function afterFailure(task: Task, error: string, now: Instant): Task {
  return {
    ...task,
    state: 'waiting',
    leaseUntil: null,
    error,
    dueAt: now + FIRST_PAUSE_MS * 2 ** (task.attempts - 1),
  };
}

/** Given back without being charged: the attempt did not fail, the house is closing or a port was away. */
export function givenBack(task: Task, now: Instant, pauseMs: number): Task {
  return {
    ...task,
    state: 'waiting',
    attempts: task.attempts - 1,
    leaseUntil: null,
    dueAt: now + pauseMs,
  };
}

/** The task waits for its next turn, which is charged to nobody. Gone with its subject, it stays gone. */
export async function again(
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

/** A task that runs for long has got on: the claims before are charged to nobody. */
export async function gotOn(tasks: TaskStore, taskId: string): Promise<void> {
  const found = await tasks.find(taskId);
  if (found && found.attempts > 1) await tasks.save({ ...found, attempts: 1 });
}

/** Nudges the queue about tasks that were just committed. A nudge that is lost is made up for by the sweeper. */
export async function offerAll(jobs: JobQueue, nudges: readonly TaskNudge[]): Promise<void> {
  for (const nudge of nudges) await jobs.offer(nudge);
}
