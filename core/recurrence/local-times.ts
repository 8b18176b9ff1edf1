import type { LocalTime } from '../../ports/time-zones.ts';
import { dayOfLocalTime, END_OF_LOCAL_TIMES, FIRST_LOCAL_TIME, DAY } from './calendar-days.ts';
import { periodsOf } from './periods.ts';
import type { Plan } from './plan.ts';

/**
 * The local times of a plan from a start up to and including `last`, ascending; empty before 1900. The search covers
 * the years 1900 to 2200, 3 612 months, which also bounds the work for a rule without matches.
 */
export function* localTimesFrom(
  plan: Plan,
  from: LocalTime,
  last: LocalTime,
): Generator<LocalTime, void> {
  const first = Math.max(from, plan.start);
  const end = Math.min(last, END_OF_LOCAL_TIMES - 1);
  if (plan.start < FIRST_LOCAL_TIME || !(first <= end) || plan.times.length === 0) return;
  const pages = periodsOf(plan);
  for (let page = pages.of(dayOfLocalTime(first)); pages.begin(page) * DAY <= end; page++)
    for (const reading of pages.readings(page)) {
      if (reading > end) return;
      if (reading >= first) yield reading;
    }
}

/** The last local time of a plan up to a given one for which `fits` holds. */
export function lastLocalTime(
  plan: Plan,
  upTo: LocalTime,
  fits: (reading: LocalTime) => boolean,
): LocalTime | undefined {
  const first = plan.start;
  const end = Math.min(upTo, END_OF_LOCAL_TIMES - 1);
  if (first < FIRST_LOCAL_TIME || !(first <= end) || plan.times.length === 0) return undefined;
  const pages = periodsOf(plan);
  for (let page = pages.of(dayOfLocalTime(end)); page >= pages.of(dayOfLocalTime(first)); page--) {
    const readings = pages.readings(page);
    for (let index = readings.length - 1; index >= 0; index--) {
      const reading = readings[index]!;
      if (reading >= first && reading <= end && fits(reading)) return reading;
    }
  }
  return undefined;
}
