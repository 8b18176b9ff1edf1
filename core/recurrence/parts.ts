import { dayOf, DAY, HOUR, MINUTE, SECOND } from './calendar-days.ts';
import { type ByDay, FREQUENCIES, type Until, WEEKDAYS } from './rule.ts';

const MAX_NUMBER = 10_000;

/** The reason why a rule is rejected by the parser. */
export class RuleError extends Error {}
export const invalidRule = (reason: string): never => {
  throw new RuleError(reason);
};

/** Parsers of the rule parts (RFC 5545 §3.3.10). They throw a RuleError. */
export const PARSERS = {
  FREQ: (value: string) =>
    value === 'MINUTELY' || value === 'SECONDLY'
      ? invalidRule(`FREQ=${value} repeats too often: HOURLY is the most.`)
      : (FREQUENCIES.find((it) => it === value) ??
        invalidRule(`FREQ has to be one of ${FREQUENCIES.join(', ')}.`)),
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
export type PartName = keyof typeof PARSERS;
export type Parts = { [N in PartName]?: ReturnType<(typeof PARSERS)[N]> };

function positive(name: string, value: string): number {
  if (!/^\d+$/.test(value))
    invalidRule(`${name} has to be a whole number from 1 to ${MAX_NUMBER}.`);
  const number = Number(value);
  if (number < 1 || number > MAX_NUMBER) invalidRule(`${name} has to be from 1 to ${MAX_NUMBER}.`);
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
          : invalidRule(`${name} takes numbers from ${range}.`);
      }),
    );
}

export const ascending = (list: readonly number[]): readonly number[] =>
  [...new Set(list)].sort((a, b) => a - b);

function weekday(name: string, value: string): number {
  const index = WEEKDAYS.findIndex((it) => it === value);
  return index >= 0 ? index : invalidRule(`${name} takes the weekdays ${WEEKDAYS.join(', ')}.`);
}

function weekdaysOf(value: string): readonly ByDay[] {
  const days = new Map<string, ByDay>();
  for (const item of value.split(',')) {
    const [, number = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? [];
    const day = { weekday: weekday('BYDAY', name), nth: Number(number) };
    if (number !== '' && (day.nth === 0 || Math.abs(day.nth) > 53))
      invalidRule('BYDAY takes numbers from 1 to 53 or -53 to -1 before a weekday.');
    days.set(`${day.nth} ${day.weekday}`, day);
  }
  return [...days.values()].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday);
}

function untilOf(value: string): Until {
  const shape = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
  const [, year, month, date, hour, minute, second, zulu] = shape.exec(value) ?? [];
  const midnight = midnightOf(Number(year), Number(month), Number(date));
  if (midnight === undefined)
    return invalidRule('UNTIL has to be a date (19971224) or a date and time (19971224T000000Z).');
  if (hour === undefined) return { kind: 'day', at: midnight };
  const time = [Number(hour), Number(minute), Number(second)] as const;
  if (time[0] > 23 || time[1] > 59 || time[2] > 60)
    invalidRule('UNTIL has a time that no clock shows.');
  const at = midnight + time[0] * HOUR + time[1] * MINUTE + Math.min(time[2], 59) * SECOND;
  return { kind: zulu === 'Z' ? 'instant' : 'reading', at };
}

/** Undefined for a date that does not exist. */
function midnightOf(year: number, month: number, date: number): number | undefined {
  if (!(month >= 1 && month <= 12 && date >= 1)) return undefined;
  const day = dayOf(year, month - 1, date);
  const next = month === 12 ? dayOf(year + 1, 0, 1) : dayOf(year, month, 1);
  return day < next ? day * DAY : undefined;
}
