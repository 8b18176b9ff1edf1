import type { RoleLimits } from '../../ports/identity.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { MonthlyMetric } from '../../ports/usage.ts';
import { planLimit } from '../identity/index.ts';
import { monthOf } from './usage.ts';

type UsageStores = Pick<Stores, 'usage'>;

/** One counted use. */
export interface Charge {
  readonly metric: MonthlyMetric;
  readonly month: Instant;
}

/**
 * Ends with `plan_limit` if the monthly quota is used up. A preliminary check before the work; only `charge` is
 * exact.
 */
export async function requireQuota(
  { usage }: UsageStores,
  clock: Clock,
  limits: RoleLimits,
  metric: MonthlyMetric,
): Promise<void> {
  const limit = limits[metric];
  if (limit !== null && (await usage.used(metric, monthOf(clock.now()).start)) >= limit)
    throw planLimit();
}

/**
 * Counts one use, or ends with `plan_limit` and must then leave no trace. Called in the unit of work of the charged
 * operation.
 */
export async function charge(
  { usage }: UsageStores,
  clock: Clock,
  limits: RoleLimits,
  metric: MonthlyMetric,
): Promise<Charge> {
  const month = monthOf(clock.now()).start;
  const limit = limits[metric];
  const used = await usage.add(metric, month, 1);
  if (limit !== null && used > limit) throw planLimit();
  return { metric, month };
}

/** Refunds a use without result: a failure of the operator's model costs the owner nothing. */
export async function refund({ usage }: UsageStores, { metric, month }: Charge): Promise<void> {
  await usage.add(metric, month, -1);
}
