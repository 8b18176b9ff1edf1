import type { LocalTime } from '../../ports/time-zones.ts';
import {
  DAY,
  type Day,
  firstDayOf,
  firstDayOfWeek,
  firstDayOfYear,
  firstWeekOf,
  HOUR,
  lengthOf,
  modulo,
  monthOf,
  weekOf,
  yearOf,
  yearOfWeek,
} from './calendar-days.ts';
import { type DaySet, daysOfMonth } from './days-of-month.ts';
import type { Plan } from './plan.ts';
import { selectPositions } from './bysetpos.ts';

/**
 * The local times of a plan by period: months, or with set positions whole weeks or years. A period is found by any
 * of its days and expanded separately, so that the cost does not depend on the distance from the start.
 */
export interface Periods {
  of(day: Day): number;
  /** First day of a period. */
  begin(page: number): Day;
  /** All its local times, ascending, including those before the start of the rule. */
  readings(page: number): readonly LocalTime[];
}

export function periodsOf(plan: Plan): Periods {
  const { freq, weekStart, positions } = plan;
  if (positions.length === 0)
    return { of: monthOf, begin: firstDayOf, readings: (month) => readingsOfMonth(plan, month) };
  const placed = (of: Periods['of'], begin: Periods['begin']): Periods => ({
    of,
    begin,
    readings: (page) => placedReadings(plan, begin(page), begin(page + 1)),
  });
  if (freq === 'MONTHLY') return placed(monthOf, firstDayOf);
  if (freq === 'WEEKLY')
    return placed(
      (day) => weekOf(day, weekStart),
      (week) => firstDayOfWeek(week, weekStart),
    );
  if (plan.weekNumbers.length === 0) return placed((day) => yearOf(monthOf(day)), firstDayOfYear);
  return placed(
    (day) => yearOfWeek(weekOf(day, weekStart), weekStart),
    (year) => firstDayOfWeek(firstWeekOf(year, weekStart), weekStart),
  );
}

function readingsOfMonth(plan: Plan, month: number): readonly LocalTime[] {
  const readings: LocalTime[] = [];
  const first = firstDayOf(month);
  for (let days = daysOfMonth(plan, month); days !== 0; days &= days - 1) {
    const midnight = (first + lowest(days)) * DAY;
    if (plan.freq === 'HOURLY') addHours(plan, midnight, readings);
    else for (const time of plan.times) readings.push(midnight + time);
  }
  return readings;
}

const lowest = (days: DaySet): number => 31 - Math.clz32(days & -days);

function addHours(plan: Plan, midnight: LocalTime, readings: LocalTime[]): void {
  const start = Math.floor(plan.start / HOUR);
  for (let hour = modulo(start - midnight / HOUR, plan.interval); hour < 24; hour += plan.interval)
    if ((plan.hours & (1 << hour)) !== 0)
      for (const time of plan.times) readings.push(midnight + hour * HOUR + time);
}

/** Set positions refer to all times of all days, which are too many to enumerate; counting days is enough. */
function placedReadings(plan: Plan, from: Day, to: Day): readonly LocalTime[] {
  const days: Day[] = [];
  for (let month = monthOf(from); firstDayOf(month) < to; month++) {
    const first = firstDayOf(month);
    let set = daysOfMonth(plan, month);
    if (first < from) set &= -1 << (from - first);
    if (first + lengthOf(month) > to) set &= ~(-1 << (to - first));
    for (; set !== 0; set &= set - 1) days.push(first + lowest(set));
  }
  const { times } = plan;
  if (days.length === 0) return days;
  return selectPositions(plan.positions, days.length * times.length).map(
    (index) => days[Math.floor(index / times.length)]! * DAY + times[index % times.length]!,
  );
}
