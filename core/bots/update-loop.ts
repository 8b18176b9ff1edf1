import type { Bot } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import { MessengerError } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Task } from '../../ports/tasks.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotificationInput, type NotifyDeps } from '../notifications/index.ts';
import { reschedule, enqueueAll, type TaskHandler } from '../tasks/index.ts';
import { tokenOf } from './access.ts';
import { processUpdates, type ProcessUpdatesDeps } from './process-updates.ts';
import { LATE_UPDATE_WINDOW_MS } from './registry.ts';
import { UPDATES_TASK, pauseAfter, restartTask, retryStateOf, type RetryState } from './tasks.ts';
import { setWebhook, deleteWebhook, webhookUrl, type WebhookDeps } from './webhook.ts';

export interface DeliverDeps
  extends NotifyDeps, Omit<ProcessUpdatesDeps, 'uow'>, Omit<WebhookDeps, 'uow'> {
  readonly uow: UnitOfWork<'bots' | 'tasks' | 'notifications' | 'securityEvents'>;
  readonly jobs: JobQueue;
  readonly sealer: Sealer;
}

/** Long-polling timeout. */
const WAIT_SECONDS = 25;
/** Duration of one run of the task, in which it fetches accumulated updates. */
const TURN_MS = 30_000;
/** Minimum interval of polling a platform that does not wait. */
const PACE_MS = 1_000;
const CONFLICT_MS = 15_000;
/** Also the maximum time without updates after the service's public URL has changed. */
const WATCH_MS = 15_000;
const UNEXPECTED_MS = 60_000;
const REFUSED_MS = 3_600_000;
const MAX_WAIT_SECONDS = 3_600;

/** When the task is due again, and its state until then. */
interface Next {
  readonly inMs: number;
  readonly trouble: RetryState;
  /** What to notify the owner of. */
  readonly news?: NotificationInput;
}

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
      const { inMs, trouble, news: notification } = sound ? next : AT_ONCE;
      if (notification) await notify(deps, stores, notification);
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

const AT_ONCE: Next = { inMs: 0, trouble: {} };

async function turn(deps: DeliverDeps, scope: OwnerScope, bot: Bot, task: Task): Promise<Next> {
  const trouble = retryStateOf(task);
  const token = tokenOf(deps, bot);
  if (token === undefined) return refused(bot, trouble, 'sealed');
  const address = webhookUrl(deps, bot);
  try {
    if (address === undefined) return await poll(deps, scope, bot, token);
    if (bot.webhook?.address !== address) await setWebhook(deps, scope, bot, token, address);
    return await watch(deps, token, trouble);
  } catch (error) {
    if (error instanceof MessengerError)
      return afterRejection(deps, scope, bot, token, trouble, error);
    if (error instanceof UnavailableError && error.port === 'messenger')
      return pollAfterOutage(trouble);
    throw error;
  }
}

/** With a webhook no other request would reveal that the token has been revoked. */
async function watch(deps: DeliverDeps, token: string, trouble: RetryState): Promise<Next> {
  const now = deps.clock.now();
  const { checkedAt = 0 } = trouble;
  if (checkedAt > now - REFUSED_MS) return { inMs: WATCH_MS, trouble: { checkedAt } };
  await deps.messenger.identify(token);
  return { inMs: WATCH_MS, trouble: { checkedAt: now } };
}

/** Fetches and applies updates until there are none, or the run is over. */
async function poll(deps: DeliverDeps, scope: OwnerScope, bot: Bot, token: string): Promise<Next> {
  const from = deps.clock.now();
  if (bot.webhook) await deleteWebhook(deps, scope, bot, token);
  for (let latest = bot; ;) {
    const askedAt = deps.clock.now();
    const updates = await deps.messenger.updates(token, {
      after: afterOf(latest, askedAt),
      waitSeconds: WAIT_SECONDS,
    });
    const now = deps.clock.now();
    const quick = { inMs: now - askedAt < PACE_MS ? PACE_MS : 0, trouble: {} };
    const last = updates.at(-1);
    if (!last) return quick;
    const applied = await processUpdates(deps, scope, bot.id, updates, token, (found) =>
      Promise.resolve({ ...found, cursor: { after: last.updateId, at: now } }),
    );
    if (!applied || now - from >= TURN_MS) return AT_ONCE;
    // Only repeated updates, without a pause.
    if (applied.taken === 0) return quick;
    latest = applied.bot;
  }
}

/**
 * After a quiet week the platform restarts its numbering, possibly at a lower number. Then all updates are requested.
 */
const afterOf = ({ cursor }: Bot, now: number) =>
  cursor && cursor.at > now - LATE_UPDATE_WINDOW_MS ? cursor.after : null;

async function afterRejection(
  deps: DeliverDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  trouble: RetryState,
  { reason, retryAfter = 1 }: MessengerError,
): Promise<Next> {
  if (reason === 'unauthorized') return refused(bot, trouble, 'revoked');
  if (reason === 'too_many')
    return { inMs: Math.min(retryAfter, MAX_WAIT_SECONDS) * 1_000, trouble };
  if (reason !== 'conflict') return pollAfterOutage(trouble);
  if (trouble.released) return { inMs: CONFLICT_MS, trouble };
  try {
    await deleteWebhook(deps, scope, bot, token);
  } catch (error) {
    if (!(error instanceof MessengerError) && !(error instanceof UnavailableError)) throw error;
  }
  return { inMs: PACE_MS, trouble: { ...trouble, released: true } };
}

const pollAfterOutage = (trouble: RetryState): Next => {
  const failures = trouble.failures ?? 0;
  return { inMs: pauseAfter(failures), trouble: { ...trouble, failures: failures + 1 } };
};

const REASONS = {
  revoked: 'The platform no longer accepts its token. Register the bot again with its new token.',
  sealed: 'Its token was sealed with another key. Register the bot again with its token.',
};

const displayName = ({ username, name }: Bot): string => (username === '' ? name : `@${username}`);

/**
 * The owner is notified once. The token is retried from time to time, since the rejection may have been temporary.
 */
const refused = (bot: Bot, trouble: RetryState, why: keyof typeof REASONS): Next => ({
  inMs: REFUSED_MS,
  trouble: { refused: true },
  ...(!trouble.refused && {
    news: {
      kind: 'bot.refused',
      title: `The bot ${displayName(bot)} is disconnected`,
      body: REASONS[why],
      payload: { bot_id: bot.id, name: displayName(bot), cause: why },
    },
  }),
});
