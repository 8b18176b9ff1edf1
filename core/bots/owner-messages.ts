import type { Bot } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { MessengerError, type Messenger } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { reschedule, newTask, type TaskHandler, type TaskNudge } from '../tasks/index.ts';
import { tokenOf } from './access.ts';
import { REMIND_TASK, pauseAfter, retryStateOf } from './tasks.ts';

export interface MessageDeps {
  readonly uow: UnitOfWork<'bots' | 'tasks'>;
  readonly clock: Clock;
  readonly messenger: Messenger;
  readonly sealer: Sealer;
}

/** A later reminder is useless; the notification has been shown meanwhile. */
const LATEST_MS = 3_600_000;

/**
 * Queues a message to the owner by the newest linked bot, in the unit of work of the notification. Without a linked
 * bot no task is created.
 */
export async function queueOwnerMessage(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  { bots, tasks }: Pick<Stores, 'bots' | 'tasks'>,
  text: string,
): Promise<TaskNudge | undefined> {
  const bot = (await bots.all()).find(({ ownerChatId }) => ownerChatId !== null);
  if (!bot) return undefined;
  const task = newTask(deps, REMIND_TASK, bot.id, { text });
  await tasks.save(task);
  return { kind: task.kind, taskId: task.id };
}

/**
 * Sends one message to the owner's private chat only. Delivered at least once: if the process crashes before
 * recording it, another worker repeats it, since the platform supports no idempotency key.
 */
export const sendOwnerMessage = (deps: MessageDeps): TaskHandler => ({
  run: async (scope, task) => {
    const bot = await deps.uow.read(scope, ({ bots }) => bots.find(task.subject));
    const token = bot && tokenOf(deps, bot);
    const late = deps.clock.now() > task.createdAt + LATEST_MS;
    if (!bot || token === undefined || bot.ownerChatId === null || late)
      return drop(deps, scope, task);
    try {
      await deps.messenger.send(token, bot.ownerChatId, String(task.payload['text']));
    } catch (error) {
      return afterFailure(deps, scope, task, bot, error);
    }
    await drop(deps, scope, task);
  },
  abandon: (scope, task) => drop(deps, scope, task),
});

const drop = ({ uow }: MessageDeps, scope: OwnerScope, { id }: Task): Promise<void> =>
  uow.write(scope, ({ tasks }) => tasks.remove(id));

async function afterFailure(
  deps: MessageDeps,
  scope: OwnerScope,
  task: Task,
  bot: Bot,
  error: unknown,
): Promise<void> {
  const away = error instanceof UnavailableError && error.port === 'messenger';
  if (!away && !(error instanceof MessengerError)) throw error;
  const reason = error instanceof MessengerError ? error.reason : undefined;
  if (reason === 'forbidden') return unlink(deps, scope, task, bot);
  // A retry would be rejected again.
  if (reason === 'refused' || reason === 'moved') return drop(deps, scope, task);
  const failures = retryStateOf(task).failures ?? 0;
  const { retryAfter } = error instanceof MessengerError ? error : {};
  const pause = retryAfter === undefined ? pauseAfter(failures) : retryAfter * 1_000;
  await deps.uow.write(scope, ({ tasks }) =>
    reschedule(tasks, task.id, deps.clock.now() + pause, {
      text: task.payload['text'],
      failures: failures + 1,
    }),
  );
}

/** The owner has blocked the bot, unless another chat has been linked since. */
async function unlink(
  { uow, clock }: MessageDeps,
  scope: OwnerScope,
  task: Task,
  { id, ownerChatId }: Bot,
): Promise<void> {
  await uow.write(scope, async ({ bots, tasks }) => {
    await tasks.remove(task.id);
    const found = await bots.find(id);
    if (found && found.ownerChatId === ownerChatId)
      await bots.save({ ...found, ownerChatId: null, updatedAt: clock.now() });
  });
}
