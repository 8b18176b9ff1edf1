import type { components } from '../../api/schema.js';
import type { Day } from './days.ts';
import { placed, type AgendaItem, type Item } from './item.ts';
import { ownWall, wallAt } from './zones.ts';

export type { AgendaItem, Item } from './item.ts';

export type CalendarEvent = components['schemas']['CalendarEvent'];

export function itemOf(data: AgendaItem): Item {
  // An all-day event is on its own days, wherever the owner is.
  const wall = data.all_day ? (at: number) => wallAt(at, data.tz) : ownWall;
  return placed(data, wall(Date.parse(data.starts_at)), wall(Date.parse(data.ends_at)));
}

/** By day; bars and all-day events first, then by start. */
export const byTime = (a: Item, b: Item): number =>
  a.firstDay - b.firstDay ||
  Number(b.isBar) - Number(a.isBar) ||
  (a.isBar ? b.lastDay - a.lastDay : 0) ||
  a.start - b.start ||
  a.data.number - b.data.number;

export const touches = ({ firstDay, lastDay }: Item, day: Day): boolean =>
  firstDay <= day && day <= lastDay;

/** Those of each day, in order. A day without any is not in it. */
export function byDay(items: readonly Item[], first: Day, last: Day): Map<Day, Item[]> {
  const days = new Map<Day, Item[]>();
  for (const item of items)
    for (let day = Math.max(item.firstDay, first); day <= Math.min(item.lastDay, last); day++)
      days.set(day, [...(days.get(day) ?? []), item]);
  return new Map([...days].sort(([a], [b]) => a - b));
}
