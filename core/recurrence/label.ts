import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime } from '../../ports/time-zones.ts';
import { dayOfLocalTime, firstDayOf, monthOf, monthOfYear, weekdayOf } from './calendar-days.ts';
import { timesOf } from './label-times.ts';
import type { ByDay, Frequency, Rule, Until } from './rule.ts';
import {
  countedWeekdays,
  dates,
  forward,
  kindOf,
  listed,
  MONTHS,
  months,
  ordinal,
  weekdays,
} from './english.ts';

const UNITS: Record<Frequency, string> = {
  YEARLY: 'year',
  MONTHLY: 'month',
  WEEKLY: 'week',
  DAILY: 'day',
  HOURLY: 'hour',
};

/**
 * The rule in plain English, as "Every 2 weeks on Monday and Friday, 10 times". `toLocal` gives the local date of an
 * UNTIL; without it the date is in UTC.
 */
export function ruleLabel(
  rule: Rule,
  start: LocalTime,
  allDay: boolean,
  toLocal: (instant: Instant) => LocalTime = (instant) => instant,
): string {
  const text = `${daysOf(rule, start)}${allDay ? '' : timesOf(rule, start)}${chosenOf(rule)}`;
  return text[0]!.toUpperCase() + text.slice(1) + endOf(rule, toLocal);
}

const every = ({ interval, freq }: Rule): string =>
  interval === 1 ? `every ${UNITS[freq]}` : `every ${interval} ${UNITS[freq]}s`;

function daysOf(rule: Rule, start: LocalTime): string {
  switch (rule.freq) {
    case 'YEARLY':
      return `${every(rule)} on ${yearly(rule, start)}`;
    case 'MONTHLY':
      return `on ${monthly(rule, start)}${rule.byMonthDay.length > 0 ? ifWeekday(rule) : ''}`;
    case 'WEEKLY':
      return `${weekly(rule, start)}${inMonths(rule)}`;
    case 'DAILY':
    case 'HOURLY':
      return limited(rule);
  }
}

const inMonths = ({ byMonth }: Rule): string =>
  byMonth.length > 0 ? ` in ${months(byMonth)}` : '';

function weekly(rule: Rule, start: LocalTime): string {
  const days = rule.byDay.length > 0 ? rule.byDay : weekdayOfStart(start);
  const kind = kindOf(days);
  if (kind === undefined) return `${every(rule)} on ${weekdays(days)}`;
  return rule.interval === 1 ? `every ${kind}` : `${every(rule)} on every ${kind}`;
}

function monthly(rule: Rule, start: LocalTime): string {
  const { byMonth, byMonthDay, byDay, interval } = rule;
  const complete = interval === 1 && byMonth.length > 0;
  const of = complete ? `every ${months(byMonth)}` : `${every(rule)}${inMonths(rule)}`;
  if (byMonthDay.length > 0) return `${dates(byMonthDay)} of ${of}`;
  return `${byDay.length > 0 ? named(rule) : dates([dateOf(start)])} of ${of}`;
}

function yearly(rule: Rule, start: LocalTime): string {
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule;
  const of = byMonth.length > 0 ? ` of ${months(byMonth)}` : '';
  if (byYearDay.length > 0) {
    const ofMonth = byMonthDay.length > 0 ? ` if it is ${dates(byMonthDay, 'or')} of a month` : '';
    return `${dates(byYearDay)} of the year${inWeeks(rule)}${ofMonth}${ifWeekday(rule)}${inMonths(rule)}`;
  }
  if (byMonthDay.length > 0)
    return `${dates(byMonthDay)}${of || ' of every month'}${inWeeks(rule)}${ifWeekday(rule)}`;
  if (byWeekNo.length > 0) {
    const days = byDay.length > 0 ? byDay : weekdayOfStart(start);
    return `${byDay.length > 0 ? named({ ...rule, byDay: days }) : weekdays(days)}${inWeeks(rule)}${inMonths(rule)}`;
  }
  if (byDay.length > 0)
    return `${named(rule)}${of || (byDay.some(({ nth }) => nth !== 0) || isNamed(rule) ? ' of the year' : '')}`;
  if (byMonth.length > 0) return `${dates([dateOf(start)])}${of}`;
  return `${dateOf(start)} ${MONTHS[monthOfYear(monthOf(dayOfLocalTime(start)))]}`;
}

const inWeeks = ({ byWeekNo }: Rule): string => {
  if (byWeekNo.length === 0) return '';
  const weeks = forward(byWeekNo).map((week) =>
    week > 0 ? `week ${week}` : `the ${ordinal(week)} week`,
  );
  return ` in ${listed(weeks)}`;
};

/** Every n days or hours, and the conditions. */
function limited(rule: Rule): string {
  const { byYearDay, byMonthDay, byDay, interval, freq } = rule;
  const wholly = interval === 1 && freq === 'DAILY' && byDay.length > 0 && byMonthDay.length === 0;
  if (wholly) return `every ${weekdays(byDay)}${inMonths(rule)}`;
  const conditions = [
    ...(byYearDay.length > 0 ? [`${dates(byYearDay, 'or')} of the year`] : []),
    ...(byMonthDay.length > 0 ? [`${dates(byMonthDay, 'or')} of a month`] : []),
    ...(byDay.length > 0 ? [`a ${weekdays(byDay, 'or')}`] : []),
  ];
  const only = conditions.length > 0 ? ` if it is ${listed(conditions)}` : '';
  return `${every(rule)}${inMonths(rule)}${only}`;
}

function ifWeekday({ byDay }: Rule): string {
  if (byDay.length === 0) return '';
  const plain = byDay.every(({ nth }) => nth === 0);
  return ` if it is ${plain ? `a ${weekdays(byDay, 'or')}` : countedWeekdays(byDay, 'or')}`;
}

/** Positions among weekdays are named as such: "the last weekday". */
const isNamed = (rule: Rule): boolean =>
  rule.bySetPos.length > 0 &&
  (rule.freq === 'MONTHLY' || rule.freq === 'YEARLY') &&
  rule.byDay.length > 0 &&
  rule.byDay.every(({ nth }) => nth === 0) &&
  rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length === 0 &&
  (rule.byMonth.length < 2 || rule.freq === 'MONTHLY') &&
  rule.byHour.length + rule.byMinute.length + rule.bySecond.length === 0;

const named = (rule: Rule): string =>
  isNamed(rule)
    ? `the ${listed(forward(rule.bySetPos).map(ordinal))} ${weekdays(rule.byDay, 'or')}`
    : countedWeekdays(rule.byDay);

const chosenOf = (rule: Rule): string =>
  rule.bySetPos.length === 0 || isNamed(rule)
    ? ''
    : `, only the ${listed(forward(rule.bySetPos).map(ordinal))} of each ${UNITS[rule.freq]}`;

function endOf({ count, until }: Rule, toLocal: (instant: Instant) => LocalTime): string {
  if (count !== null) return count === 1 ? ', once' : `, ${count} times`;
  return until === null ? '' : ` until ${dateText(until, toLocal)}`;
}

function dateText({ kind, at }: Until, toLocal: (instant: Instant) => LocalTime): string {
  const date = new Date(kind === 'instant' ? toLocal(at) : at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const weekdayOfStart = (start: LocalTime): readonly ByDay[] => [
  { weekday: weekdayOf(dayOfLocalTime(start)), nth: 0 },
];

const dateOf = (start: LocalTime): number =>
  dayOfLocalTime(start) - firstDayOf(monthOf(dayOfLocalTime(start))) + 1;
