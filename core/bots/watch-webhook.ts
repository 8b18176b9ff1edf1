import type { Bot, BotReception } from '../../ports/bots.ts';
import { MessengerError, type WebhookReport } from '../../ports/messenger.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { afterConflict, afterFailedWebhook, openConflict, type Next } from './reception.ts';
import type { RetryState } from './tasks.ts';
import { setWebhook, type WebhookDeps } from './webhook.ts';

export interface WatchDeps extends WebhookDeps {
  readonly clock: Clock;
}

/** A bot whose webhook is set, or is to be set. */
export interface Watched {
  readonly scope: OwnerScope;
  readonly bot: Bot;
  readonly token: string;
  /** The address of the webhook. */
  readonly address: string;
}

/** Also the maximum time without updates after the service's public URL has changed. */
const WATCH_MS = 15_000;
const MAX_LOOK_INTERVAL_MS = 3_600_000;
/** A failure of an earlier delivery does not explain why updates wait now. */
const RECENT_FAILURE_MS = 3_600_000;
/** How long updates may wait for delivery without a failure. */
const MAX_SILENCE_MS = 120_000;
/** A webhook of another program that returns within this time is the same conflict. */
const FOREIGN_MEMORY_MS = 3_600_000;
const PROVEN_MS = 86_400_000;
const SILENT: ConnectionSentence =
  'The platform does not deliver updates to the address in PUBLIC_URL.';

/** Sets the webhook. If the platform does not accept it, updates are polled instead. */
export async function connectWebhook(deps: WatchDeps, watched: Watched): Promise<Next> {
  const { scope, bot, token, address } = watched;
  try {
    await setWebhook(deps, scope, bot, token, address);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return afterFailedWebhook(bot, address, error.message, deps.clock.now());
  }
  const now = deps.clock.now();
  return {
    inMs: WATCH_MS,
    trouble: { setAt: now, checkedAt: now },
    reception: delivered(bot.reception),
  };
}

/**
 * Looks at the webhook as the platform sees it: soon after it was set, then at intervals that double up to an hour. This
 * also reveals a revoked token.
 */
export async function watchWebhook(
  deps: WatchDeps,
  watched: Watched,
  trouble: RetryState,
): Promise<Next> {
  const { bot, token, address } = watched;
  const now = deps.clock.now();
  if (now < nextLookAt(trouble, now)) return { inMs: WATCH_MS, trouble };
  const report = await reportOf(deps, token);
  const { setAt = now } = trouble;
  if (report && comparable(report.address) !== comparable(address))
    return replaceForeign(deps, watched, trouble, now);
  const receivedAt = await deps.uow.read(watched.scope, ({ bots }) => bots.lastReceivedAt(bot.id));
  const isProven = (receivedAt ?? 0) > setAt || now - setAt >= PROVEN_MS;
  const sound: Next = {
    inMs: WATCH_MS,
    trouble: { ...openConflict(trouble, now, FOREIGN_MEMORY_MS), setAt, checkedAt: now },
    reception: { ...delivered(bot.reception), ...(isProven && { failedWebhook: null }) },
  };
  const { suspectAt } = trouble;
  if (!report || report.pending === 0) return sound;
  if (suspectAt === undefined) return { ...sound, trouble: { ...sound.trouble, suspectAt: now } };
  if ((receivedAt ?? 0) >= suspectAt) return sound;
  const failure = recentFailure(report, now);
  if (failure === undefined && now - suspectAt < MAX_SILENCE_MS)
    return { ...sound, trouble: { ...sound.trouble, suspectAt } };
  return afterFailedWebhook(bot, address, failure ?? SILENT, now);
}

function nextLookAt({ checkedAt, setAt, suspectAt, failures }: RetryState, now: Instant): Instant {
  if (checkedAt === undefined || failures !== undefined) return now;
  const sinceSet = suspectAt === undefined ? checkedAt - (setAt ?? checkedAt) : 0;
  return checkedAt + Math.min(Math.max(sinceSet, WATCH_MS), MAX_LOOK_INTERVAL_MS);
}

/**
 * Undefined if the platform has no such method. Then only the token is tested. A missing method may look like a token that
 * is not accepted.
 */
async function reportOf(deps: WatchDeps, token: string): Promise<WebhookReport | undefined> {
  try {
    return await deps.messenger.webhookReport(token);
  } catch (error) {
    const mayLackMethod = error instanceof MessengerError && error.reason === 'unauthorized';
    if (!mayLackMethod && !isRefusal(error)) throw error;
    await deps.messenger.identify(token);
    return undefined;
  }
}

/** Not a matter of the token, of the rate or of other programs. */
const isRefusal = (error: unknown): error is MessengerError =>
  error instanceof MessengerError && /^(refused|forbidden|moved)$/.test(error.reason);

const recentFailure = ({ lastFailure }: WebhookReport, now: Instant): string | undefined =>
  lastFailure && now - lastFailure.at <= RECENT_FAILURE_MS ? lastFailure.reason : undefined;

/** A platform may write an address in lower case, or with the default port. */
const comparable = (address: string): string =>
  address.toLowerCase().replace(/^(https:\/\/[^/]*):443(?=\/|$)/, '$1');

/** Another program has removed or replaced the webhook. It is set again, and a repetition counts as a conflict. */
async function replaceForeign(
  deps: WatchDeps,
  watched: Watched,
  trouble: RetryState,
  now: Instant,
): Promise<Next> {
  const next = await connectWebhook(deps, watched);
  if (next.inMs === 0) return next;
  const open = openConflict(trouble, now, FOREIGN_MEMORY_MS);
  return { ...next, ...afterConflict(watched.bot, { ...next.trouble, ...open }, now, WATCH_MS) };
}

const delivered = ({ failedWebhook }: BotReception): BotReception => ({
  state: 'webhook',
  reason: '',
  failedWebhook,
});
