import type { Bot } from '../../ports/bots.ts';
import type { Task, TaskStore } from '../../ports/tasks.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import { newTask } from '../tasks/index.ts';

/** Receives the updates of a bot. Exists as long as the bot. */
export const UPDATES_TASK = 'bot.updates';
/** Syncs the groups of a bot. Exists as long as the bot. */
export const SYNC_TASK = 'bot.sync';
/** Sends one reminder. */
export const REMIND_TASK = 'bot.remind';

const MAX_BACKOFF_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;

/** State of a bot's tasks between runs. */
export interface RetryState {
  /** Consecutive failures of the platform. */
  readonly failures?: number;
  /** The owner was notified that the token is rejected. */
  readonly refused?: true;
  /** The platform was asked to remove its webhook, because it reported one. */
  readonly released?: true;
  /** When the webhook was set, as far as the task knows. */
  readonly setAt?: Instant;
  /** When the platform was last queried about the webhook. */
  readonly checkedAt?: Instant;
  /** Since when updates wait at the platform, and none has been delivered. */
  readonly suspectAt?: Instant;
  /** When another program first and last received the updates instead. */
  readonly conflictSince?: Instant;
  readonly conflictAt?: Instant;
  /** The owner was notified of it. */
  readonly conflictReported?: true;
}

export const retryStateOf = ({ payload }: Task): RetryState => payload;

/** 1 s, doubling up to a minute. */
export const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS);

interface TaskDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The permanent tasks of a bot. */
export async function startTasks(
  deps: TaskDeps,
  tasks: TaskStore,
  { id }: Bot,
  updatesAt: Instant,
): Promise<void> {
  await tasks.save({ ...newTask(deps, UPDATES_TASK, id, {}), dueAt: updatesAt });
  await tasks.save({ ...newTask(deps, SYNC_TASK, id, {}), dueAt: deps.clock.now() + DAY_MS });
}

/**
 * Makes a waiting task due at the given time at the latest. A running one is not changed, since it checks for itself.
 */
export async function scheduleBy(
  tasks: TaskStore,
  kind: string,
  botId: string,
  at: Instant,
): Promise<void> {
  for (const task of await tasks.findFor(botId, kind))
    if (task.state === 'waiting' && task.dueAt > at) await tasks.save({ ...task, dueAt: at });
}

/** Replaces a task that failed too often for unexpected reasons: it must exist as long as the bot. */
export async function restartTask(
  deps: TaskDeps,
  tasks: TaskStore,
  task: Task,
  afterMs: number,
): Promise<void> {
  await tasks.remove(task.id);
  const next = newTask(deps, task.kind, task.subject, {});
  await tasks.save({ ...next, dueAt: deps.clock.now() + afterMs });
}
