import {
  type Day,
  firstDayOf,
  firstDayOfWeek,
  firstDayOfYear,
  firstWeekOf,
  lengthOf,
  type Month,
  modulo,
  monthOfYear,
  weekdayOf,
  weekOf,
  yearOf,
  yearOfWeek,
} from './calendar-days.ts';
import type { Plan } from './plan.ts';

/** Days of a month as a bit set; bit 0 is the first. */
export type DaySet = number;

/**
 * The days of a month on which a plan has occurrences, before set positions. Every rule part is a bit set of days,
 * combined by intersection. A month takes few operations, so any month can be computed directly.
 */
export function daysOfMonth(plan: Plan, month: Month): DaySet {
  if ((plan.months & (1 << monthOfYear(month))) === 0) return 0;
  const first = firstDayOf(month);
  const length = lengthOf(month);
  let days = inTurn(plan, month, first, length);
  if (days !== 0 && plan.monthDays.length > 0) days &= datesOf(plan.monthDays, length);
  if (days !== 0 && (plan.weekdays !== 0 || plan.counted.length > 0))
    days &= everyWeek(plan.weekdays, first) | countedDays(plan, month, first, length);
  if (days !== 0 && plan.yearDays.length > 0)
    days &= yearDaysOf(plan.yearDays, month, first, length);
  if (days !== 0 && plan.weekNumbers.length > 0) days &= numberedWeeks(plan, first, length);
  return days;
}

const all = (length: number): DaySet => 0x7fff_ffff >>> (31 - length);
/** The day that is `offset` days after the first of a month. */
const one = (offset: number, length: number): DaySet =>
  offset >= 0 && offset < length ? 1 << offset : 0;

/** The days of years, months, weeks or days selected by INTERVAL. */
function inTurn(plan: Plan, month: Month, first: Day, length: number): DaySet {
  const { freq, interval } = plan;
  if (interval === 1 || freq === 'HOURLY') return all(length);
  if (freq === 'MONTHLY') return (month - plan.startMonth) % interval === 0 ? all(length) : 0;
  if (freq === 'YEARLY') {
    // A week belongs to its week-numbering year, regardless of the calendar year of its days.
    if (plan.weekNumbers.length > 0) return all(length);
    return (yearOf(month) - plan.startYear) % interval === 0 ? all(length) : 0;
  }
  let days = 0;
  if (freq === 'DAILY') {
    for (let at = modulo(plan.startDay - first, interval); at < length; at += interval)
      days |= 1 << at;
    return days;
  }
  const week = weekOf(first, plan.weekStart);
  for (let at = week + modulo(plan.startWeek - week, interval); ; at += interval) {
    const offset = firstDayOfWeek(at, plan.weekStart) - first;
    if (offset >= length) return days;
    days |= weekAt(offset, length);
  }
}

const weekAt = (offset: number, length: number): DaySet =>
  (offset >= 0 ? 0x7f << offset : 0x7f >>> -offset) & all(length);

function datesOf(monthDays: readonly number[], length: number): DaySet {
  let days = 0;
  for (const date of monthDays) days |= one(date > 0 ? date - 1 : length + date, length);
  return days;
}

function everyWeek(weekdays: number, first: Day): DaySet {
  if (weekdays === 0) return 0;
  const on = weekdayOf(first);
  const week = ((weekdays >>> on) | (weekdays << (7 - on))) & 0x7f;
  return week | (week << 7) | (week << 14) | (week << 21) | ((week & 7) << 28);
}

function countedDays(plan: Plan, month: Month, first: Day, length: number): DaySet {
  let days = 0;
  const [from, to] = plan.countedInYear
    ? [firstDayOfYear(yearOf(month)), firstDayOfYear(yearOf(month) + 1)]
    : [first, first + length];
  for (const { weekday, nth } of plan.counted) {
    const day =
      nth > 0
        ? from + modulo(weekday - weekdayOf(from), 7) + 7 * (nth - 1)
        : to - 1 - modulo(weekdayOf(to - 1) - weekday, 7) + 7 * (nth + 1);
    if (day >= from && day < to) days |= one(day - first, length);
  }
  return days;
}

function yearDaysOf(yearDays: readonly number[], month: Month, first: Day, length: number): DaySet {
  const from = firstDayOfYear(yearOf(month));
  const to = firstDayOfYear(yearOf(month) + 1);
  let days = 0;
  for (const number of yearDays) {
    const day = number > 0 ? from + number - 1 : to + number;
    if (day >= from && day < to) days |= one(day - first, length);
  }
  return days;
}

function numberedWeeks(plan: Plan, first: Day, length: number): DaySet {
  const { weekStart, weekNumbers } = plan;
  const last = weekOf(first + length - 1, weekStart);
  let days = 0;
  for (let week = weekOf(first, weekStart); week <= last; week++) {
    const year = yearOfWeek(week, weekStart);
    if ((year - plan.startYear) % plan.interval !== 0) continue;
    const [from, to] = [firstWeekOf(year, weekStart), firstWeekOf(year + 1, weekStart)];
    if (weekNumbers.includes(week - from + 1) || weekNumbers.includes(week - to))
      days |= weekAt(firstDayOfWeek(week, weekStart) - first, length);
  }
  return days;
}
