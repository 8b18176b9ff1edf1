/**
 * Counts requests in fixed windows.
 *
 * Contract (contract-tests/suites/rate-counter.ts):
 * - `hit` answers the count of the key in the window, this hit included, from 1.
 * - Another key or another window counts for itself.
 * - Simultaneous hits are all counted.
 * - An answer that came while the process was busy counts.
 * - An outage rejects with PortFailure soon, in a quarter of a second if the process is not busy itself.
 */
export interface RateCounter {
  /** `window` numbers the minute since 1970. */
  hit(key: string, window: number): Promise<number>;
}
