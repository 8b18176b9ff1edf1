import { PortFailure } from '../../ports/failures.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

export interface FailOpenOptions {
  /** How long one hit may take. */
  readonly timeoutMs: number;
  /** After a failure the store is left alone for this long, so that not every request waits for it. */
  readonly pauseMs: number;
  /** Told once for each pause. */
  onOutage(error: unknown): void;
}

/** Makes every outage of a counter store, silence included, a quick PortFailure. It recovers by itself. */
export function boundedRateCounter(inner: RateCounter, options: FailOpenOptions): RateCounter {
  let pausedUntil = 0;
  return {
    hit: async (key, window) => {
      if (Date.now() < pausedUntil) throw new PortFailure('counters', 'The counter store is away.');
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const slow = () => reject(new PortFailure('counters', 'The counter store is slow.'));
        // A process that was busy itself finds the answer and the end of the time at once: it looks for answers first.
        timer = setTimeout(() => setImmediate(slow), options.timeoutMs);
      });
      try {
        return await Promise.race([inner.hit(key, window), late]);
      } catch (error) {
        pausedUntil = Date.now() + options.pauseMs;
        options.onOutage(error);
        throw error instanceof PortFailure
          ? error
          : new PortFailure('counters', 'The counter store did not answer.', error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
