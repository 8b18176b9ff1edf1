import type { Instant } from './time-and-ids.ts';

/** What a role limits by the month. */
export const MONTHLY_METRICS = ['questions', 'enrichments'] as const;
export type MonthlyMetric = (typeof MONTHLY_METRICS)[number];

/**
 * What one owner has used of the monthly limits. A month is named by the moment it begins, in UTC.
 *
 * Contract (contract-tests/suites/usage-store.ts):
 * - `used` is the sum of what was added for the metric in that month, and 0 where nothing was.
 * - `add` answers with what is used from then on; of additions at the same time none is lost.
 */
export interface UsageStore {
  add(metric: MonthlyMetric, month: Instant, count: number): Promise<number>;
  used(metric: MonthlyMetric, month: Instant): Promise<number>;
}
