import { dayKey, formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/notifications.ts';
import type { Notification } from './notifications.ts';

const DAY_MS = 86_400_000;

export interface Day {
  readonly key: string;
  readonly name: string;
  readonly items: readonly Notification[];
}

/** Notifications by day in the owner's zone. */
export function daysOf(items: readonly Notification[], now = Date.now()): readonly Day[] {
  const { today, yesterday } = t().notificationsText;
  const names = new Map([
    [dayKey(now - DAY_MS), yesterday],
    [dayKey(now), today],
  ]);
  const days = Map.groupBy(items, ({ created_at: at }) => dayKey(at));
  return [...days].map(([key, ofDay]) => ({
    key,
    name: names.get(key) ?? formatDay(ofDay[0]?.created_at ?? key),
    items: ofDay,
  }));
}
