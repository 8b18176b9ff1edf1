import { UnavailableError } from '../../ports/errors.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

export interface FailOpenOptions {
  /** How long one hit may take. */
  readonly timeoutMs: number;
  /** After a failure the store is not called for this long, so that requests do not wait for it. */
  readonly pauseMs: number;
  /** Called once per pause. */
  onOutage(error: unknown): void;
}

/**
 * Turns every outage of a counter store, including no response, into a fast UnavailableError. Recovers automatically.
 */
export function failFastRateCounter(inner: RateCounter, options: FailOpenOptions): RateCounter {
  let pausedUntil = 0;
  return {
    hit: async (key, window) => {
      if (Date.now() < pausedUntil)
        throw new UnavailableError('counters', 'The counter store is not available.');
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const slow = () => reject(new UnavailableError('counters', 'The counter store is slow.'));
        // After the event loop was blocked, reply and timeout are due together; the reply is checked first.
        timer = setTimeout(() => setImmediate(slow), options.timeoutMs);
      });
      try {
        return await Promise.race([inner.hit(key, window), late]);
      } catch (error) {
        pausedUntil = Date.now() + options.pauseMs;
        options.onOutage(error);
        throw error instanceof UnavailableError
          ? error
          : new UnavailableError('counters', 'The counter store did not answer.', error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
