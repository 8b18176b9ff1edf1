import { UnavailableError } from '../../ports/errors.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';
import type { Clock } from '../../ports/runtime.ts';

const WINDOW_MS = 60_000;
/** Per address: invalid bearer tokens and other secrets. */
export const FAILED_AUTH_PER_MINUTE = 60;
/**
 * Per address: all requests of signing in. An office shares one address; guesses of passwords have limits of their own, and
 * the other secrets cannot be guessed.
 */
export const SIGN_INS_PER_MINUTE = 300;
/** Per address: visitors without an account. A household or an office shares one address. */
export const VISITOR_REQUESTS_PER_MINUTE = 300;
/** Thumbnails, of which one page loads many. */
export const THUMBNAILS_PER_MINUTE = 600;

/** Per owner, for the document server, which acts for all editors: edits must get through. */
export const ENGINE_PER_MINUTE = 1_200;

export interface RateDeps {
  readonly rates: RateCounter;
  readonly clock: Clock;
}

export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next window, at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/**
 * Counts one request in the fixed window of this minute. Returns undefined if the counter store is unavailable: the
 * limit is then not applied.
 */
export async function countRequest(
  deps: RateDeps,
  who: string,
  limit: number,
): Promise<RateLimitState | undefined> {
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
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}
