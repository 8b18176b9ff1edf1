/** A day of the calendar in any zone: the number of days since 1970-01-01. */
export type Day = number;

/** What a clock on the wall shows, as the milliseconds that a clock in UTC would show it at. */
export type Wall = number;

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
export const WEEK = 7;

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;

export const dayOfWall = (wall: Wall): Day => Math.floor(wall / DAY_MS);
export const midnightOf = (day: Day): Wall => day * DAY_MS;
/** Minutes since midnight. */
export const minutesOf = (wall: Wall): number =>
  Math.floor((wall - midnightOf(dayOfWall(wall))) / MINUTE_MS);

/** `2026-11-24` */
export const isoDay = (day: Day): string => new Date(midnightOf(day)).toISOString().slice(0, 10);
/** `2026-11-24T20:00:00`, as the service reads local times. */
export const isoWall = (wall: Wall): string => new Date(wall).toISOString().slice(0, 19);
/** `20:00` */
export const isoTime = (wall: Wall): string => isoWall(wall).slice(11, 16);

/** Undefined for what is no day, or not one of the years that the service has. */
export function parseDay(text: string): Day | undefined {
  const [, year = '', month = '', date = ''] = ISO_DAY.exec(text) ?? [];
  return dayFrom(Number(year), Number(month), Number(date));
}

/** `month` counts from 1. */
export function dayFrom(year: number, month: number, date: number): Day | undefined {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  const at = Date.UTC(year, month - 1, date);
  const is = new Date(at);
  const isReal = is.getUTCMonth() === month - 1 && is.getUTCDate() === date;
  return isReal ? dayOfWall(at) : undefined;
}

/** `20:00` as minutes since midnight. */
export function parseTime(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export interface DayParts {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly date: number;
}

export function partsOf(day: Day): DayParts {
  const at = new Date(midnightOf(day));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() };
}

/** 0 is Monday. */
export const weekdayOf = (day: Day): number => (((day + 3) % WEEK) + WEEK) % WEEK;

export const monthStart = (day: Day): Day => day - partsOf(day).date + 1;

/** The same day of another month, or its last. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day);
  const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return dayOfWall(Date.UTC(year, month + months, Math.min(date, last)));
}

/** The day on which the week begins. `firstDay`: 0 is Monday. */
export const weekStart = (day: Day, firstDay: number): Day =>
  day - ((weekdayOf(day) - firstDay + WEEK) % WEEK);

/** The weeks that show a month: whole ones, as many as it needs. */
export function weeksOfMonth(day: Day, firstDay: number): readonly Day[] {
  const first = weekStart(monthStart(day), firstDay);
  const next = addMonths(monthStart(day), 1);
  return Array.from({ length: Math.ceil((next - first) / WEEK) }, (_, n) => first + n * WEEK);
}

/** By ISO 8601, of the week that has this Thursday. */
export function weekNumber(start: Day): number {
  const thursday = start + ((3 - weekdayOf(start) + WEEK) % WEEK);
  const { year } = partsOf(thursday);
  return Math.floor((thursday - dayOfWall(Date.UTC(year, 0, 1))) / WEEK) + 1;
}

export const daysFrom = (first: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, n) => first + n);
