/**
 * Counts requests in fixed windows.
 *
 * Contract (contract-tests/suites/rate-counter.ts):
 * - `hit` returns the count of the key in the window, this hit included, from 1.
 * - Other keys and windows are counted separately.
 * - Concurrent hits are all counted.
 * - A reply that arrived while the process was busy counts.
 * - An outage rejects with UnavailableError within a quarter of a second, unless the process itself is busy.
 */
export interface RateCounter {
  /** `window` is the number of the minute since 1970. */
  hit(key: string, window: number): Promise<number>;
}
