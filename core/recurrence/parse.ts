import { dayOf, DAY, HOUR, MINUTE, SECOND } from './calendar-days.ts';
import { type ByDay, FREQUENCIES, type Rule, type Until, WEEKDAYS } from './rule.ts';

/** Characters that a rule may have when it comes from somebody. */
export const LONGEST_RULE = 500;
const LARGEST_NUMBER = 10_000;
const MOST_TIMES_A_DAY = 96;
/** Rules that are remembered with what was read from them. */
const MOST_REMEMBERED = 10_000;

export type ParsedRule = { readonly rule: Rule } | { readonly reason: string };

/** Why a rule is refused, while it is read. */
class Refusal extends Error {}
const refuse = (reason: string): never => {
  throw new Refusal(reason);
};

const remembered = new Map<string, ParsedRule>();

/**
 * Reads an RRULE value without "RRULE:", in any letter case. The reason for which one is refused is a sentence that
 * names the part. `longest` is for rules of our own, which grow by an UNTIL when a series is split.
 */
export function parseRule(text: string, longest: number = LONGEST_RULE): ParsedRule {
  if (text.length > longest) return { reason: `The rule is longer than ${longest} characters.` };
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const parsed = read(text);
  for (const oldest of remembered.keys()) {
    if (remembered.size < MOST_REMEMBERED) break;
    remembered.delete(oldest);
  }
  remembered.set(text, parsed);
  return parsed;
}

function read(text: string): ParsedRule {
  try {
    const parts = partsOf(text);
    const rule = ruleOf(parts);
    checkTogether(rule);
    return { rule };
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.message };
    throw error;
  }
}

const READERS = {
  FREQ: (value: string) =>
    value === 'MINUTELY' || value === 'SECONDLY'
      ? refuse(`FREQ=${value} repeats too often: HOURLY is the most.`)
      : (FREQUENCIES.find((it) => it === value) ??
        refuse(`FREQ has to be one of ${FREQUENCIES.join(', ')}.`)),
  INTERVAL: (value: string) => positive('INTERVAL', value),
  COUNT: (value: string) => positive('COUNT', value),
  UNTIL: untilOf,
  BYMONTH: numbers('BYMONTH', 1, 12),
  BYWEEKNO: numbers('BYWEEKNO', 1, 53, true),
  BYYEARDAY: numbers('BYYEARDAY', 1, 366, true),
  BYMONTHDAY: numbers('BYMONTHDAY', 1, 31, true),
  BYDAY: weekdaysOf,
  BYHOUR: numbers('BYHOUR', 0, 23),
  BYMINUTE: numbers('BYMINUTE', 0, 59),
  BYSECOND: numbers('BYSECOND', 0, 60),
  BYSETPOS: numbers('BYSETPOS', 1, 366, true),
  WKST: (value: string) => weekday('WKST', value),
};
type Name = keyof typeof READERS;
type Parts = { [N in Name]?: ReturnType<(typeof READERS)[N]> };

function partsOf(text: string): Parts {
  if (!/^[!-~]+$/.test(text))
    refuse('FREQ is missing: a rule is written as FREQ=…;… without spaces.');
  const upper = text.toUpperCase();
  if (upper.startsWith('RRULE:')) refuse('RRULE: does not belong to the rule; begin with FREQ=.');
  const parts: Record<string, unknown> = {};
  for (const part of upper.split(';')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    if (!Object.hasOwn(READERS, name))
      refuse(
        `${JSON.stringify(name === '' ? part.slice(0, 40) : name.slice(0, 40))} is no part of a recurrence rule.`,
      );
    if (Object.hasOwn(parts, name)) refuse(`${name} is given more than once.`);
    parts[name] = READERS[name as Name](value);
  }
  return parts;
}

function ruleOf(parts: Parts): Rule {
  return {
    freq: parts.FREQ ?? refuse('FREQ is missing.'),
    interval: parts.INTERVAL ?? 1,
    count: parts.COUNT ?? null,
    until: parts.UNTIL ?? null,
    byMonth: parts.BYMONTH ?? [],
    byWeekNo: parts.BYWEEKNO ?? [],
    byYearDay: parts.BYYEARDAY ?? [],
    byMonthDay: parts.BYMONTHDAY ?? [],
    byDay: parts.BYDAY ?? [],
    byHour: parts.BYHOUR ?? [],
    byMinute: parts.BYMINUTE ?? [],
    // Who knows no leap seconds takes the one before (RFC 5545 §3.3.12).
    bySecond: ascending((parts.BYSECOND ?? []).map((second) => Math.min(second, 59))),
    bySetPos: parts.BYSETPOS ?? [],
    weekStart: parts.WKST ?? 0,
  };
}

/** What the RFC forbids of parts that are sound by themselves, and what would be too much. */
function checkTogether(rule: Rule): void {
  const { freq } = rule;
  if (rule.count !== null && rule.until !== null) refuse('COUNT and UNTIL exclude each other.');
  if (rule.byWeekNo.length > 0 && freq !== 'YEARLY')
    refuse(`BYWEEKNO is not allowed with FREQ=${freq}, only with YEARLY.`);
  if (rule.byYearDay.length > 0 && (freq === 'MONTHLY' || freq === 'WEEKLY' || freq === 'DAILY'))
    refuse(`BYYEARDAY is not allowed with FREQ=${freq}.`);
  if (rule.byMonthDay.length > 0 && freq === 'WEEKLY')
    refuse('BYMONTHDAY is not allowed with FREQ=WEEKLY.');
  if (rule.byDay.some(({ nth }) => nth !== 0)) {
    if (freq !== 'MONTHLY' && freq !== 'YEARLY')
      refuse(`BYDAY with a number is not allowed with FREQ=${freq}, only with MONTHLY and YEARLY.`);
    if (rule.byWeekNo.length > 0)
      refuse('BYDAY with a number is not allowed together with BYWEEKNO.');
  }
  if (rule.bySetPos.length > 0 && !BY_PARTS.some((part) => rule[part].length > 0))
    refuse('BYSETPOS needs another BY part to choose from.');
  if (timesADay(rule) > MOST_TIMES_A_DAY)
    refuse(`BYHOUR, BYMINUTE and BYSECOND give more than ${MOST_TIMES_A_DAY} times a day.`);
}

const BY_PARTS = [
  ...(['byMonth', 'byWeekNo', 'byYearDay', 'byMonthDay', 'byDay'] as const),
  ...(['byHour', 'byMinute', 'bySecond'] as const),
];

/** The most times that the rule can give on one day. */
function timesADay({ freq, interval, byHour, byMinute, bySecond }: Rule): number {
  const steps = freq === 'HOURLY' ? Math.ceil(24 / interval) : byHour.length || 1;
  const hours = byHour.length > 0 ? Math.min(steps, byHour.length) : steps;
  return hours * (byMinute.length || 1) * (bySecond.length || 1);
}

function positive(name: string, value: string): number {
  if (!/^\d+$/.test(value)) refuse(`${name} has to be a whole number from 1 to ${LARGEST_NUMBER}.`);
  const number = Number(value);
  if (number < 1 || number > LARGEST_NUMBER)
    refuse(`${name} has to be from 1 to ${LARGEST_NUMBER}.`);
  return number;
}

function numbers(name: string, least: number, most: number, backwards = false) {
  const pattern = backwards ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/;
  const range = `${least} to ${most}${backwards ? ` or -${most} to -${least}` : ''}`;
  return (value: string): readonly number[] =>
    ascending(
      value.split(',').map((item) => {
        const number = pattern.test(item) ? Number(item) : NaN;
        const size = backwards ? Math.abs(number) : number;
        return size >= least && size <= most
          ? number
          : refuse(`${name} takes numbers from ${range}.`);
      }),
    );
}

const ascending = (list: readonly number[]): readonly number[] =>
  [...new Set(list)].sort((a, b) => a - b);

function weekday(name: string, value: string): number {
  const index = WEEKDAYS.findIndex((it) => it === value);
  return index >= 0 ? index : refuse(`${name} takes the weekdays ${WEEKDAYS.join(', ')}.`);
}

function weekdaysOf(value: string): readonly ByDay[] {
  const days = new Map<string, ByDay>();
  for (const item of value.split(',')) {
    const [, number = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? [];
    const day = { weekday: weekday('BYDAY', name), nth: Number(number) };
    if (number !== '' && (day.nth === 0 || Math.abs(day.nth) > 53))
      refuse('BYDAY takes numbers from 1 to 53 or -53 to -1 before a weekday.');
    days.set(`${day.nth} ${day.weekday}`, day);
  }
  return [...days.values()].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday);
}

function untilOf(value: string): Until {
  const shape = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
  const [, year, month, date, hour, minute, second, zulu] = shape.exec(value) ?? [];
  const midnight = midnightOf(Number(year), Number(month), Number(date));
  if (midnight === undefined)
    return refuse('UNTIL has to be a date (19971224) or a date and time (19971224T000000Z).');
  if (hour === undefined) return { kind: 'day', at: midnight };
  const time = [Number(hour), Number(minute), Number(second)] as const;
  if (time[0] > 23 || time[1] > 59 || time[2] > 60) refuse('UNTIL has a time that no clock shows.');
  const at = midnight + time[0] * HOUR + time[1] * MINUTE + Math.min(time[2], 59) * SECOND;
  return { kind: zulu === 'Z' ? 'instant' : 'reading', at };
}

/** Undefined for a date that is not in the calendar. */
function midnightOf(year: number, month: number, date: number): number | undefined {
  if (!(month >= 1 && month <= 12 && date >= 1)) return undefined;
  const day = dayOf(year, month - 1, date);
  const next = month === 12 ? dayOf(year + 1, 0, 1) : dayOf(year, month, 1);
  return day < next ? day * DAY : undefined;
}
