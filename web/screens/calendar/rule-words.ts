import { t } from '../../i18n/calendar.ts';
import { formatList } from '../../i18n/format.ts';
import { midnightOf, MINUTE_MS, type Day } from './days.ts';
import { fullDayText, monthNameText, timeText, weekdayText } from './formats.ts';
import { byDayOf, FREQUENCIES, rulePartsOf, untilDay } from './rule.ts';

/** A rule in the owner's words: `Every week: Monday and Thursday, until 24 December 2026`. Any rule of RFC 5545 has some. */
export function wordsOfRule(rrule: string, tz: string): string {
  const { rule } = t().calendar;
  const parts = rulePartsOf(rrule);
  const value = (name: string) => parts.get(name);
  const list = (name: string) => (value(name) ?? '').split(',').filter(Boolean);
  const numbers = (name: string) => list(name).map(Number);
  const freq = [...FREQUENCIES, 'hourly' as const].find(
    (each) => each.toUpperCase() === value('FREQ'),
  );
  const every = rule.every[freq ?? 'daily'](Number(value('INTERVAL') ?? '1'));
  const on = [
    joined(list('BYDAY').map(dayWords)),
    joined(numbers('BYMONTHDAY').map((each) => rule.onDate(each))),
    joined(numbers('BYYEARDAY').map((each) => rule.onYearDay(each))),
    joined(numbers('BYWEEKNO').map((each) => rule.inWeek(each))),
    joined(numbers('BYMONTH').map((each) => monthNameText(each - 1))),
    joined(numbers('BYSETPOS').map((each) => rule.position(each))),
    joined(clockTimes(numbers('BYHOUR'), numbers('BYMINUTE'))),
  ].filter(Boolean);
  const words = on.length === 0 ? every : rule.everyOn(every, on.join(rule.between));
  const until = value('UNTIL');
  const last: Day | undefined = until === undefined ? undefined : untilDay(until, tz);
  if (last !== undefined) return rule.withEnd(words, rule.until(fullDayText(last)));
  const count = value('COUNT');
  return count === undefined ? words : rule.withEnd(words, rule.times(Number(count)));
}

const joined = (words: readonly string[]): string => (words.length === 0 ? '' : formatList(words));

function dayWords(text: string): string {
  const day = byDayOf(text);
  if (!day) return text;
  const { rule } = t().calendar;
  if (day.nth === undefined) return weekdayText(day.weekday, 'long');
  return rule.nth(day.nth, weekdayText(day.weekday, 'long'), day.weekday);
}

const clockTimes = (hours: readonly number[], minutes: readonly number[]): readonly string[] =>
  hours.flatMap((hour) =>
    (minutes.length === 0 ? [0] : minutes).map((minute) =>
      timeText(midnightOf(0) + (hour * 60 + minute) * MINUTE_MS),
    ),
  );

/** `10 minutes before` */
export function wordsOfReminder(minutes: number): string {
  const { reminder } = t().calendar;
  if (minutes === 0) return reminder.atStart;
  const { unit, size } = unitOf(minutes);
  return reminder.before[unit](minutes / size);
}

export const REMINDER_UNITS = [
  { unit: 'weeks', size: 10_080 },
  { unit: 'days', size: 1_440 },
  { unit: 'hours', size: 60 },
  { unit: 'minutes', size: 1 },
] as const;
export type ReminderUnit = (typeof REMINDER_UNITS)[number]['unit'];

/** The largest unit of which it is a multiple. */
const unitOf = (minutes: number) =>
  REMINDER_UNITS.find(({ size }) => minutes % size === 0) ?? REMINDER_UNITS[3];
