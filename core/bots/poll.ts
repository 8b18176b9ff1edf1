import type { Bot } from '../../ports/bots.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { processUpdates, type ProcessUpdatesDeps } from './process-updates.ts';
import {
  AT_ONCE,
  conflictReception,
  openConflict,
  polledReception,
  type Next,
} from './reception.ts';
import { LATE_UPDATE_WINDOW_MS } from './registry.ts';
import type { RetryState } from './tasks.ts';
import { deleteWebhook, type WebhookDeps } from './webhook.ts';

export interface PollDeps extends ProcessUpdatesDeps, Omit<WebhookDeps, 'uow'> {}

/** A bot whose updates are polled. */
export interface Polled {
  readonly scope: OwnerScope;
  readonly bot: Bot;
  readonly token: string;
  /** Of the webhook that would be possible; undefined for none. */
  readonly address: string | undefined;
}

/** Long-polling timeout. */
const WAIT_SECONDS = 25;
/** Duration of one run of the task, in which it fetches accumulated updates. */
const TURN_MS = 30_000;
/** Minimum interval of polling a platform that does not wait. */
const PACE_MS = 1_000;
/** A poll without updates that was not interrupted ends a conflict. It lasts almost as long as this. */
const CONFLICT_ENDED_MS = 30_000;

/** Fetches and applies updates until there are none, or the run is over. */
export async function poll(
  deps: PollDeps,
  { scope, bot, token, address }: Polled,
  trouble: RetryState,
): Promise<Next> {
  const from = deps.clock.now();
  if (bot.webhook) await deleteWebhook(deps, scope, bot, token);
  for (let latest = bot; ;) {
    const askedAt = deps.clock.now();
    const updates = await deps.messenger.updates(token, {
      after: afterOf(latest, askedAt),
      waitSeconds: waitSecondsOf(bot),
    });
    const now = deps.clock.now();
    const found = afterPoll(bot, address, trouble, now);
    const quick = { ...found, inMs: now - askedAt < PACE_MS ? PACE_MS : 0 };
    const last = updates.at(-1);
    if (!last) return quick;
    const applied = await processUpdates(deps, scope, bot.id, updates, token, (changed) =>
      Promise.resolve({ ...changed, cursor: { after: last.updateId, at: now } }),
    );
    if (!applied) return AT_ONCE;
    if (now - from >= TURN_MS) return { ...found, inMs: 0 };
    // Only repeated updates, without a pause.
    if (applied.taken === 0) return quick;
    latest = applied.bot;
  }
}

/** Shows at once that polling works where it did not. */
const waitSecondsOf = ({ reception: { state } }: Bot): number =>
  state === 'polling' || state === 'conflict' ? WAIT_SECONDS : 0;

/** The other program may have paused only: then the conflict is shown until it has ended. */
function afterPoll(
  bot: Bot,
  address: string | undefined,
  trouble: RetryState,
  now: number,
): Omit<Next, 'inMs'> {
  const conflict = openConflict(trouble, now, CONFLICT_ENDED_MS);
  const isShown = conflict !== undefined && bot.reception.state === 'conflict';
  return {
    trouble: conflict ?? {},
    reception: isShown ? conflictReception(bot) : polledReception(bot, address),
  };
}

/**
 * After a quiet week the platform restarts its numbering, possibly at a lower number. Then all updates are requested.
 */
const afterOf = ({ cursor }: Bot, now: number) =>
  cursor && cursor.at > now - LATE_UPDATE_WINDOW_MS ? cursor.after : null;
