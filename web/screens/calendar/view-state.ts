import { to } from '../../app/address.ts';
import {
  addMonths,
  isoDay,
  monthStart,
  parseDay,
  WEEK,
  weeksOfMonth,
  weekStart,
  type Day,
} from './days.ts';
import { firstWeekday, fullDayText, monthText, weekText } from './formats.ts';
import { today } from './zones.ts';

export const VIEWS = ['month', 'week', 'day', 'list'] as const;
export type View = (typeof VIEWS)[number];

/** What the calendar shows. */
export interface Shown {
  readonly view: View;
  readonly day: Day;
}

/** How many days the list shows at first. */
export const LIST_DAYS = 60;

export function shownOf(query: Readonly<Record<string, string>>): Shown {
  const view = VIEWS.find((each) => each === query['view']) ?? 'month';
  return { view, day: parseDay(query['d'] ?? '') ?? today() };
}

/** `event` and `at` open the sheet of an occurrence: the id of its event, and its start by the rule. */
export const addressOf = ({ view, day }: Shown, event?: { id: string; at: string }): string => {
  const query = new URLSearchParams({ d: isoDay(day), view });
  if (event) {
    query.set('event', event.id);
    query.set('at', event.at);
  }
  return to(`/calendar?${query.toString()}`);
};

/** The days that are shown. */
export function spanOf({ view, day }: Shown): { readonly first: Day; readonly count: number } {
  if (view === 'day') return { first: day, count: 1 };
  if (view === 'list') return { first: day, count: LIST_DAYS };
  if (view === 'week') return { first: weekStart(day, firstWeekday.value), count: WEEK };
  const weeks = weeksOfMonth(day, firstWeekday.value);
  return { first: weeks[0] ?? day, count: weeks.length * WEEK };
}

/** The period before or after. */
export function stepped({ view, day }: Shown, step: number): Shown {
  if (view === 'month') return { view, day: addMonths(monthStart(day), step) };
  if (view === 'week') return { view, day: day + step * WEEK };
  return { view, day: day + step * (view === 'day' ? 1 : LIST_DAYS) };
}

export function titleOf(shown: Shown): string {
  const { first, count } = spanOf(shown);
  if (shown.view === 'month') return monthText(shown.day);
  if (shown.view === 'day') return fullDayText(shown.day);
  return weekText(first, first + count - 1);
}
