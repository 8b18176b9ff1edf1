import type { LocalTime } from '../../ports/time-zones.ts';
import {
  DAY,
  type Day,
  dayOfLocalTime,
  firstDayOf,
  HOUR,
  MINUTE,
  type Month,
  modulo,
  monthOf,
  monthOfYear,
  SECOND,
  weekdayOf,
  weekOf,
  yearOf,
  yearOfWeek,
} from './calendar-days.ts';
import { at } from './bysetpos.ts';
import type { ByDay, Frequency, Rule } from './rule.ts';

/** A rule with the parts it takes from its start (RFC 5545 §3.3.10): a day or a time that it does not name. */
export interface Plan {
  readonly freq: Frequency;
  readonly interval: number;
  readonly weekStart: number;
  readonly start: LocalTime;
  readonly startDay: Day;
  readonly startMonth: Month;
  readonly startWeek: number;
  /** Calendar years, or week-numbering years with BYWEEKNO. */
  readonly startYear: number;
  /** Bit 0 is January. */
  readonly months: number;
  readonly weekNumbers: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  /** Bit 0 is Monday; for every week. */
  readonly weekdays: number;
  /** Weekdays with a number, in the year or in the month. */
  readonly counted: readonly ByDay[];
  readonly countedInYear: boolean;
  /** Bit 0 is midnight; only for HOURLY. */
  readonly hours: number;
  /** Milliseconds into the day, for HOURLY into the hour, ascending. */
  readonly times: readonly number[];
  /**
   * Set positions to apply to the days and times of a whole week, month or year; empty if `times` includes them
   * already.
   */
  readonly positions: readonly number[];
}

export function planOf(rule: Rule, start: LocalTime, allDay: boolean): Plan {
  const { freq } = rule;
  const startDay = dayOfLocalTime(start);
  const startMonth = monthOf(startDay);
  const numbered = rule.byWeekNo.length > 0;
  const days = selectedDays(rule, startDay, startMonth);
  const times = timesOf(rule, start, allDay);
  const plain = days.byDay.filter(({ nth }) => nth === 0);
  return {
    freq,
    interval: rule.interval,
    weekStart: rule.weekStart,
    start,
    startDay,
    startMonth,
    startWeek: weekOf(startDay, rule.weekStart),
    startYear: numbered
      ? yearOfWeek(weekOf(startDay, rule.weekStart), rule.weekStart)
      : yearOf(startMonth),
    months: days.months,
    weekNumbers: rule.byWeekNo,
    yearDays: rule.byYearDay,
    monthDays: days.monthDays,
    weekdays: plain.reduce((mask, { weekday }) => mask | (1 << weekday), 0),
    counted: days.byDay.filter(({ nth }) => nth !== 0),
    countedInYear: freq === 'YEARLY' && rule.byMonth.length === 0,
    hours: allDay ? 1 : maskOf(rule.byHour, 0) || 0xff_ffff,
    ...toLocalTimes(rule, times, plain.length),
  };
}

/** Times without the set positions, or with them applied if a period has one day only. */
function toLocalTimes(
  { freq, bySetPos }: Rule,
  times: readonly number[],
  weekdays: number,
): Pick<Plan, 'times' | 'positions'> {
  if (bySetPos.length === 0) return { times, positions: [] };
  if (freq === 'HOURLY' || freq === 'DAILY') return { times: at(bySetPos, times), positions: [] };
  const days = freq === 'WEEKLY' ? weekdays : MAX_DAYS[freq];
  const reached = bySetPos.filter((position) => Math.abs(position) <= days * times.length);
  // Positions that select nothing from the largest possible set never select anything.
  return { times: reached.length > 0 ? times : [], positions: reached };
}

/** Weeks in a period; a week-numbering year has up to 53. */
const MAX_DAYS = { MONTHLY: 31, YEARLY: 371 };

const maskOf = (list: readonly number[], first: number): number => {
  let mask = 0;
  for (const item of list) mask |= 1 << (item - first);
  return mask;
};

/** The days that the rule names, or else that of its start. */
function selectedDays(
  { freq, byMonth, byWeekNo, byYearDay, byMonthDay, byDay }: Rule,
  startDay: Day,
  startMonth: Month,
): Pick<Plan, 'months' | 'monthDays'> & { readonly byDay: readonly ByDay[] } {
  const months = maskOf(byMonth, 1) || 0xfff;
  const taken = { months, monthDays: byMonthDay, byDay };
  if (byDay.length > 0 || byMonthDay.length > 0 || byYearDay.length > 0) return taken;
  if (freq === 'WEEKLY' || byWeekNo.length > 0)
    return { ...taken, byDay: [{ weekday: weekdayOf(startDay), nth: 0 }] };
  if (freq !== 'YEARLY' && freq !== 'MONTHLY') return taken;
  const monthDays = [startDay - firstDayOf(startMonth) + 1];
  if (freq === 'MONTHLY' || byMonth.length > 0) return { ...taken, monthDays };
  return { ...taken, monthDays, months: 1 << monthOfYear(startMonth) };
}

function timesOf(rule: Rule, start: LocalTime, allDay: boolean): readonly number[] {
  if (allDay) return [0];
  const { byHour, byMinute, bySecond } = rule;
  const time = modulo(start, DAY);
  const hourly = rule.freq === 'HOURLY';
  if (byMinute.length === 0 && bySecond.length === 0 && (hourly || byHour.length === 0))
    return [hourly ? time % HOUR : time];
  const hours = hourly ? [0] : byHour.length > 0 ? byHour : [Math.floor(time / HOUR)];
  const minutes = byMinute.length > 0 ? byMinute : [Math.floor((time % HOUR) / MINUTE)];
  const seconds = bySecond.length > 0 ? bySecond : [Math.floor((time % MINUTE) / SECOND)];
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => hour * HOUR + minute * MINUTE + second * SECOND),
    ),
  );
}
