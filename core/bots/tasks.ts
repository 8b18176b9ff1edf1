import type { Bot } from '../../ports/bots.ts';
import type { Task, TaskStore } from '../../ports/tasks.ts';
import type { Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import { newTask } from '../tasks/index.ts';

/** Brings the updates of a bot in. There is one as long as there is the bot. */
export const UPDATES_TASK = 'bot.updates';
/** Asks the platform about the groups of a bot. There is one as long as there is the bot. */
export const SYNC_TASK = 'bot.sync';
/** Sends one reminder. */
export const REMIND_TASK = 'bot.remind';

const MOST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;

/** What a bot's tasks remember from one run to the next. */
export interface Trouble {
  /** How often in a row the platform was away. */
  readonly failures?: number;
  /** The owner was told that the token is refused. */
  readonly refused?: true;
  /** The platform was asked to bring updates nowhere, because it said that it does. */
  readonly released?: true;
  /** When the token was tried last, where nothing else tries it. */
  readonly checkedAt?: Instant;
}

export const troubleOf = ({ payload }: Task): Trouble => payload;

/** 1 s, doubling to a minute. */
export const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), MOST_PAUSE_MS);

interface TaskDeps {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** The tasks that a bot has for life. */
export async function startTasks(
  deps: TaskDeps,
  tasks: TaskStore,
  { id }: Bot,
  updatesAt: Instant,
): Promise<void> {
  await tasks.save({ ...newTask(deps, UPDATES_TASK, id, {}), dueAt: updatesAt });
  await tasks.save({ ...newTask(deps, SYNC_TASK, id, {}), dueAt: deps.clock.now() + DAY_MS });
}

/** A task of the bot that waits for longer is due by then. One that runs finds out for itself. */
export async function dueBy(
  tasks: TaskStore,
  kind: string,
  botId: string,
  at: Instant,
): Promise<void> {
  for (const task of await tasks.findFor(botId, kind))
    if (task.state === 'waiting' && task.dueAt > at) await tasks.save({ ...task, dueAt: at });
}

/** In the place of one that failed too often for reasons nobody thought of: it must not end while there is the bot. */
export async function replaced(
  deps: TaskDeps,
  tasks: TaskStore,
  task: Task,
  afterMs: number,
): Promise<void> {
  await tasks.remove(task.id);
  const next = newTask(deps, task.kind, task.subject, {});
  await tasks.save({ ...next, dueAt: deps.clock.now() + afterMs });
}
