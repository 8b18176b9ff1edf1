import type { LocalTime } from '../../ports/time-zones.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Days since 1970-01-01. */
export type Day = number;
/** Months since January of the first year in the table. */
export type Month = number;

/** Occurrences are in the years 1900 to 2200; their periods may begin earlier and end later. */
const FIRST_YEAR = 1898;
const LAST_YEAR = 2203;

/** First days of all months, and of the month after the last. */
const MONTHS = Int32Array.from({ length: (LAST_YEAR - FIRST_YEAR + 1) * 12 + 1 }, (_, month) =>
  dayOf(FIRST_YEAR + Math.floor(month / 12), month % 12, 1),
);

export const FIRST_LOCAL_TIME: LocalTime = dayOf(1900, 0, 1) * DAY;
/** Exclusive. */
export const END_OF_LOCAL_TIMES: LocalTime = dayOf(2201, 0, 1) * DAY;

/** A date of the Gregorian calendar, `month` from 0 and `date` from 1. */
export function dayOf(year: number, month: number, date: number): Day {
  // Years begin in March, so that the leap day is the last day of a year.
  const y = month < 2 ? year - 1 : year;
  const fromMarch = Math.floor((153 * ((month + 10) % 12) + 2) / 5);
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leaps + fromMarch + date - 719_469;
}

export const dayOfLocalTime = (local: LocalTime): Day => Math.floor(local / DAY);

/** 0 is Monday. */
export const weekdayOf = (day: Day): number => modulo(day + 3, 7);

/** Never negative, for any sign of `value`. */
export function modulo(value: number, by: number): number {
  const rest = value % by;
  return rest < 0 ? rest + by : rest;
}

export const firstDayOf = (month: Month): Day => MONTHS[month]!;
export const lengthOf = (month: Month): number => MONTHS[month + 1]! - MONTHS[month]!;
export const yearOf = (month: Month): number => FIRST_YEAR + Math.floor(month / 12);
/** 0 is January. */
export const monthOfYear = (month: Month): number => month % 12;
export const januaryOf = (year: number): Month => (year - FIRST_YEAR) * 12;
export const firstDayOfYear = (year: number): Day => MONTHS[januaryOf(year)]!;

/** The month of a day between 1898 and 2203. */
export function monthOf(day: Day): Month {
  // An estimate by the average length of a month is at most two days off.
  let month = Math.floor((day - MONTHS[0]!) / 30.436_875);
  while (MONTHS[month + 1]! <= day) month += 1;
  while (MONTHS[month]! > day) month -= 1;
  return month;
}

/** Weeks begin on `weekStart`, and are numbered from about 1970-01-01. */
export const weekOf = (day: Day, weekStart: number): number =>
  Math.floor((day + 3 - weekStart) / 7);
export const firstDayOfWeek = (week: number, weekStart: number): Day => week * 7 - 3 + weekStart;

/** A week belongs to the year with at least four of its days, so the first week contains January 4. */
export const firstWeekOf = (year: number, weekStart: number): number =>
  weekOf(firstDayOfYear(year) + 3, weekStart);
export const yearOfWeek = (week: number, weekStart: number): number =>
  yearOf(monthOf(firstDayOfWeek(week, weekStart) + 3));
