import type { Instant } from './runtime.ts';

/** The metrics that a role limits per month. */
export const MONTHLY_METRICS = ['questions', 'enrichments'] as const;
export type MonthlyMetric = (typeof MONTHLY_METRICS)[number];

/**
 * One owner's usage of the monthly limits. A month is identified by its start, in UTC.
 *
 * Contract (contract-tests/suites/usage-store.ts):
 * - `used` is the sum of the additions to the metric in that month, and 0 if there are none.
 * - `add` returns the new total. Concurrent additions are all counted.
 */
export interface UsageStore {
  add(metric: MonthlyMetric, month: Instant, count: number): Promise<number>;
  used(metric: MonthlyMetric, month: Instant): Promise<number>;
}
