import type { Instant } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { MONTHLY_METRICS, type MonthlyMetric } from '../../ports/usage.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';

export interface UsageDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'contents' | 'usage' | 'pinLock'>;
}

export interface UsageItem {
  readonly metric: MonthlyMetric | 'storage_bytes';
  readonly used: number;
  /** null if unlimited; then so is the remainder. */
  readonly limit: number | null;
  readonly remaining: number | null;
}

export interface Usage {
  readonly role: string;
  /** The calendar month in UTC, its end exclusive. */
  readonly periodStart: Instant;
  readonly periodEnd: Instant;
  readonly requestsPerMinute: number;
  readonly items: readonly UsageItem[];
}

/**
 * The owner's usage and the limits of the role. While the hidden zone is locked, bytes that only hidden objects use
 * are excluded, as in the quota check of an upload (ADR 31).
 */
export async function usageOf(deps: UsageDeps, caller: Caller): Promise<Usage> {
  const { limits, owner } = caller;
  const { start, end } = monthOf(deps.clock.now());
  const items = await deps.uow.read(caller.scope, async (stores) => {
    const monthly = [];
    for (const metric of MONTHLY_METRICS)
      monthly.push(item(metric, await stores.usage.used(metric, start), limits[metric]));
    const closed = (await zoneFor(deps, stores.pinLock, caller)) === 'closed';
    const concealed = closed ? await stores.contents.hiddenBytes() : 0;
    const bytes = (await stores.contents.usedBytes()) - concealed;
    return [...monthly, item('storage_bytes', bytes, limits.storageBytes)];
  });
  return {
    role: owner.role,
    periodStart: start,
    periodEnd: end,
    requestsPerMinute: limits.requestsPerMinute,
    items,
  };
}

const item = (metric: UsageItem['metric'], used: number, limit: number | null): UsageItem => ({
  metric,
  used,
  limit,
  remaining: limit === null ? null : Math.max(0, limit - used),
});

export function monthOf(now: Instant): { readonly start: Instant; readonly end: Instant } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
