import type { Bot, BotReception, FailedWebhook } from '../../ports/bots.ts';
import { connectionReason, type ConnectionSentence } from '../../ports/reasons.ts';
import type { Instant } from '../../ports/runtime.ts';
import { failureOf, type NotificationInput } from '../notifications/index.ts';
import type { RetryState } from './tasks.ts';

/** When the task that receives updates is due again, and its state until then. */
export interface Next {
  readonly inMs: number;
  readonly trouble: RetryState;
  /** How updates arrive now; undefined if nothing was learnt. */
  readonly reception?: BotReception;
  /** What to notify the owner of. */
  readonly news?: NotificationInput;
}

export const AT_ONCE: Next = { inMs: 0, trouble: {} };

const FIRST_RETRY_MS = 3_600_000;
const MAX_RETRY_MS = 86_400_000;

/** Before anything is known. */
export const NEW_RECEPTION: BotReception = { state: 'polling', reason: '', failedWebhook: null };

export const isSame = (a: BotReception, b: BotReception): boolean =>
  a.state === b.state &&
  a.reason === b.reason &&
  a.failedWebhook?.address === b.failedWebhook?.address &&
  a.failedWebhook?.retryAt === b.failedWebhook?.retryAt;

/** Updates are polled, with the reason if a webhook at `address` was possible; undefined if none is. */
export function polledReception(
  { reception: { failedWebhook } }: Pick<Bot, 'reception'>,
  address: string | undefined,
): BotReception {
  const failed = failedWebhook?.address === address ? failedWebhook : null;
  return { state: 'polling', reason: failed?.reason ?? '', failedWebhook: failed };
}

/** Whether the webhook at this address failed, and is not to be set again yet. */
export const isPutOff = ({ reception }: Bot, address: string, now: Instant): boolean =>
  reception.failedWebhook?.address === address && reception.failedWebhook.retryAt > now;

/**
 * The updates are polled at once, and the webhook is set again after an hour, then after pauses that double up to a day.
 * The owner is notified, but not again of the same reason.
 */
export function afterFailedWebhook(bot: Bot, address: string, reason: string, now: Instant): Next {
  const before = bot.reception.failedWebhook;
  const same = before?.address === address ? before : undefined;
  const failures = (same?.failures ?? 0) + 1;
  const pause = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_MS);
  const failedWebhook: FailedWebhook = { address, reason, failures, retryAt: now + pause };
  const isKnown = same !== undefined && codeOf(same.reason) === codeOf(reason);
  return {
    inMs: 0,
    trouble: {},
    reception: { state: 'polling', reason, failedWebhook },
    ...(!isKnown && {
      news: {
        kind: 'bot.failed',
        title: `The webhook of the bot ${displayName(bot)} does not work`,
        body: `${reason} The service fetches the updates instead. It sets the webhook again after some hours, or when PUBLIC_URL changes.`,
        payload: { ...nameOf(bot), state: 'polling', ...failureOf(reason, connectionReason) },
      },
    }),
  };
}

const codeOf = (reason: string): string => connectionReason(reason).code;

const OTHER_CLIENT: ConnectionSentence =
  'Another program receives the updates of this bot with the same token.';
/** A process of this service that has died may poll for half a minute longer. */
const CONFLICT_NOTICE_MS = 60_000;

/** A conflict that occurred within `withinMs`; undefined for none. */
export function openConflict(
  trouble: RetryState,
  now: Instant,
  withinMs: number,
): RetryState | undefined {
  const { conflictSince, conflictAt, conflictReported } = trouble;
  if (conflictSince === undefined || conflictAt === undefined) return undefined;
  if (now - conflictAt > withinMs) return undefined;
  return { conflictSince, conflictAt, ...(conflictReported && { conflictReported }) };
}

export const conflictReception = ({ reception }: Bot): BotReception => ({
  ...reception,
  state: 'conflict',
  reason: OTHER_CLIENT,
});

/** A conflict continues: the card shows it, and the owner is notified once when it has lasted for a minute. */
export function afterConflict(bot: Bot, trouble: RetryState, now: Instant, inMs: number): Next {
  const { conflictSince = now, conflictReported } = trouble;
  const isReported = conflictReported ?? now - conflictSince >= CONFLICT_NOTICE_MS;
  return {
    inMs,
    trouble: {
      ...trouble,
      conflictSince,
      conflictAt: now,
      ...(isReported && { conflictReported: true }),
    },
    // A first one may be the last request of a process that has ended.
    ...(now > conflictSince && { reception: conflictReception(bot) }),
    ...(isReported &&
      !conflictReported && {
        news: {
          kind: 'bot.failed',
          title: `Another program uses the bot ${displayName(bot)}`,
          body: `${OTHER_CLIENT} Stop that program, or get a new token from the platform and register the bot again.`,
          payload: {
            ...nameOf(bot),
            state: 'conflict',
            ...failureOf(OTHER_CLIENT, connectionReason),
          },
        },
      }),
  };
}

const REASONS = {
  revoked: 'The platform no longer accepts its token. Register the bot again with its new token.',
  sealed: 'Its token was sealed with another key. Register the bot again with its token.',
} as const satisfies Record<string, ConnectionSentence>;
const REFUSED_MS = 3_600_000;

/**
 * The owner is notified once. The token is retried from time to time, since the rejection may have been temporary.
 */
export const afterRefusal = (bot: Bot, trouble: RetryState, why: keyof typeof REASONS): Next => ({
  inMs: REFUSED_MS,
  trouble: { refused: true },
  reception: { ...bot.reception, state: 'refused', reason: REASONS[why] },
  ...(!trouble.refused && {
    news: {
      kind: 'bot.refused',
      title: `The bot ${displayName(bot)} is disconnected`,
      body: REASONS[why],
      payload: { ...nameOf(bot), cause: why },
    },
  }),
});

const displayName = ({ username, name }: Bot): string => (username === '' ? name : `@${username}`);
const nameOf = (bot: Bot) => ({ bot_id: bot.id, name: displayName(bot) });
