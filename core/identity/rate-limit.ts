import { PortFailure } from '../../ports/failures.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';
import type { Clock } from '../../ports/time-and-ids.ts';

const WINDOW_MS = 60_000;
/** Of one address: bearer tokens and other secrets that open nothing. */
export const REFUSALS_PER_MINUTE = 60;
/** Of one address: people without an account, of whom a household or an office has one in common. */
export const VISITS_PER_MINUTE = 300;
/** Of small pictures, of which one page of theirs brings many along. */
export const PICTURES_PER_MINUTE = 600;

/** For the document server, which comes for all who edit with one owner: what is edited has to get through. */
export const ENGINE_PER_MINUTE = 1_200;

export interface RateDeps {
  readonly rates: RateCounter;
  readonly clock: Clock;
}

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next window, at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/**
 * Counts one request in the fixed window of this minute. Answers with nothing when the counter store is away: the
 * limit is then not applied.
 */
export async function countRequest(
  deps: RateDeps,
  who: string,
  limit: number,
): Promise<Allowance | undefined> {
  const now = deps.clock.now();
  const window = Math.floor(now / WINDOW_MS);
  try {
    const count = await deps.rates.hit(who, window);
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.max(1, Math.ceil(((window + 1) * WINDOW_MS - now) / 1000)),
      exceeded: count > limit,
    };
  } catch (error) {
    if (error instanceof PortFailure) return undefined;
    throw error;
  }
}
