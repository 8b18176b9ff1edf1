import type { Bot } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import { MessengerError } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Task } from '../../ports/tasks.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';
import { reschedule, enqueueAll, type TaskHandler } from '../tasks/index.ts';
import { tokenOf } from './access.ts';
import { poll, type PollDeps } from './poll.ts';
import { afterConflict, afterRefusal, AT_ONCE, isPutOff, isSame, type Next } from './reception.ts';
import { UPDATES_TASK, pauseAfter, restartTask, retryStateOf, type RetryState } from './tasks.ts';
import { connectWebhook, watchWebhook } from './watch-webhook.ts';
import { deleteWebhook, webhookUrl } from './webhook.ts';

export interface DeliverDeps extends NotifyDeps, Omit<PollDeps, 'uow'> {
  readonly uow: UnitOfWork<'bots' | 'tasks' | 'notifications' | 'securityEvents'>;
  readonly jobs: JobQueue;
  readonly sealer: Sealer;
}

/** Pause after a first conflict, when the platform was asked to remove the webhook. */
const RELEASE_MS = 1_000;
const CONFLICT_MS = 15_000;
const UNEXPECTED_MS = 60_000;
const MAX_WAIT_SECONDS = 3_600;
/** A shorter outage is not shown. */
const MIN_SHOWN_FAILURES = 3;

/**
 * Receives the updates of a bot by polling or, if possible, by a webhook. The task exists as long as the bot;
 * failures only delay it.
 */
export const receiveUpdates = (deps: DeliverDeps): TaskHandler => ({
  run: async (scope, task) => {
    const bot = await deps.uow.read(scope, ({ bots }) => bots.find(task.subject));
    if (!bot) return deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
    const next = await turn(deps, scope, bot, task);
    const inMs = await deps.uow.write(scope, async (stores) => {
      const now = await stores.bots.find(bot.id);
      // State recorded for another token does not apply.
      const sound = now?.sealedToken === bot.sealedToken;
      const { inMs, trouble, reception, news } = sound ? next : AT_ONCE;
      if (now && reception && !isSame(now.reception, reception))
        await stores.bots.save({ ...now, reception });
      if (news) await notify(deps, stores, news);
      await reschedule(stores.tasks, task.id, deps.clock.now() + inMs, { ...trouble });
      return inMs;
    });
    if (inMs === 0) await enqueueAll(deps.jobs, [{ kind: UPDATES_TASK, taskId: task.id }]);
  },
  abandon: (scope, task) =>
    deps.uow.write(scope, async ({ bots, tasks }) => {
      if (await bots.find(task.subject)) await restartTask(deps, tasks, task, UNEXPECTED_MS);
    }),
});

async function turn(deps: DeliverDeps, scope: OwnerScope, bot: Bot, task: Task): Promise<Next> {
  const trouble = retryStateOf(task);
  const token = tokenOf(deps, bot);
  if (token === undefined) return afterRefusal(bot, trouble, 'sealed');
  const address = webhookUrl(deps, bot);
  try {
    if (address === undefined || isPutOff(bot, address, deps.clock.now()))
      return await poll(deps, { scope, bot, token, address }, trouble);
    const watched = { scope, bot, token, address };
    return bot.webhook?.address === address
      ? await watchWebhook(deps, watched, trouble)
      : await connectWebhook(deps, watched);
  } catch (error) {
    if (error instanceof MessengerError)
      return afterRejection(deps, scope, bot, token, trouble, error);
    if (error instanceof UnavailableError && error.port === 'messenger')
      return afterOutage(bot, trouble, error);
    throw error;
  }
}

async function afterRejection(
  deps: DeliverDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  trouble: RetryState,
  error: MessengerError,
): Promise<Next> {
  const { reason, retryAfter = 1 } = error;
  if (reason === 'unauthorized') return afterRefusal(bot, trouble, 'revoked');
  if (reason === 'too_many')
    return { inMs: Math.min(retryAfter, MAX_WAIT_SECONDS) * 1_000, trouble };
  if (reason !== 'conflict') return afterOutage(bot, trouble, error);
  const now = deps.clock.now();
  if (trouble.released) return afterConflict(bot, trouble, now, CONFLICT_MS);
  try {
    await deleteWebhook(deps, scope, bot, token);
  } catch (failure) {
    if (!(failure instanceof MessengerError) && !(failure instanceof UnavailableError))
      throw failure;
  }
  return afterConflict(bot, { ...trouble, released: true }, now, RELEASE_MS);
}

function afterOutage(bot: Bot, trouble: RetryState, { message }: Error): Next {
  const failures = (trouble.failures ?? 0) + 1;
  return {
    inMs: pauseAfter(failures - 1),
    trouble: { ...trouble, failures },
    ...(failures >= MIN_SHOWN_FAILURES && {
      reception: { ...bot.reception, state: 'unavailable', reason: message },
    }),
  };
}
