import { dayFrom, isoDay, midnightOf, partsOf, WEEK, weekdayOf, DAY_MS, type Day } from './days.ts';
import { instantAt, wallAt } from './zones.ts';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The weekday of a month: the second Tuesday, or the last (-1). 0 is Monday. */
export interface Nth {
  readonly nth: number;
  readonly weekday: number;
}

export type RuleEnd =
  | { readonly kind: 'never' }
  | { readonly kind: 'until'; readonly day: Day }
  | { readonly kind: 'count'; readonly count: number };

/** A rule that the editor can express. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  /** Of a weekly rule; none means that of the start. 0 is Monday. */
  readonly weekdays: readonly number[];
  /** Of a monthly or yearly rule; none means the day of the start. */
  readonly nth: Nth | undefined;
  readonly end: RuleEnd;
}

/** Where the rule applies: the day and the zone of the start. */
export interface RuleStart {
  readonly day: Day;
  readonly tz: string;
  readonly allDay: boolean;
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export const MAX_INTERVAL = 10_000;

/** `FREQ=WEEKLY;BYDAY=MO,TH` as its parts. */
export const rulePartsOf = (rrule: string): ReadonlyMap<string, string> =>
  new Map(
    rrule
      .toUpperCase()
      .split(';')
      .filter(Boolean)
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.split('=');
        return [name, value];
      }),
  );

/** `2TU` */
export function byDayOf(
  text: string,
): { readonly nth: number | undefined; readonly weekday: number } | undefined {
  const [, nth, code] = /^([+-]?\d+)?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = CODES.findIndex((each) => each === code);
  if (weekday < 0) return undefined;
  return { weekday, nth: nth === undefined ? undefined : Number(nth) };
}

/** Undefined for a rule that the editor can not express. It is left as it is. */
export function parseRule(rrule: string, start: RuleStart): Rule | undefined {
  const parts = new Map(rulePartsOf(rrule));
  const take = (name: string): string | undefined => {
    const value = parts.get(name);
    parts.delete(name);
    return value;
  };
  const freq = take('FREQ');
  const frequency = FREQUENCIES.find((each) => each.toUpperCase() === freq);
  const interval = Number(take('INTERVAL') ?? '1');
  const end = endOf(take('UNTIL'), take('COUNT'), start);
  const days = (take('BYDAY') ?? '').split(',').filter(Boolean).map(byDayOf);
  const monthDay = take('BYMONTHDAY');
  const month = take('BYMONTH');
  if (take('WKST') === 'SU' && interval > 1 && days.length > 1) return undefined;
  if (!frequency || !end || parts.size > 0) return undefined;
  const { date, month: startMonth } = partsOf(start.day);
  const isMonthly = frequency === 'monthly' || frequency === 'yearly';
  if (monthDay !== undefined && !(isMonthly && Number(monthDay) === date)) return undefined;
  const nths = days.flatMap((each) => (each?.nth === undefined ? [] : [each]));
  // A yearly weekday without a month counts in the year.
  const needsMonth = frequency === 'yearly' && nths.length > 0;
  if (month !== undefined ? frequency !== 'yearly' || Number(month) !== startMonth + 1 : needsMonth)
    return undefined;
  if (days.includes(undefined)) return undefined;
  if (frequency === 'weekly') {
    if (nths.length > 0) return undefined;
    const weekdays = days.flatMap((each) => (each ? [each.weekday] : []));
    return { frequency, interval, weekdays, nth: undefined, end };
  }
  if (days.length === 0) return { frequency, interval, weekdays: [], nth: undefined, end };
  const [only] = nths;
  if (!isMonthly || days.length > 1 || only?.nth === undefined || monthDay !== undefined)
    return undefined;
  const nth = { nth: only.nth, weekday: only.weekday };
  return { frequency, interval, weekdays: [], nth, end };
}

function endOf(
  until: string | undefined,
  count: string | undefined,
  { tz }: RuleStart,
): RuleEnd | undefined {
  if (count !== undefined) return { kind: 'count', count: Number(count) };
  if (until === undefined) return { kind: 'never' };
  const day = untilDay(until, tz);
  return day === undefined ? undefined : { kind: 'until', day };
}

/** The last day of a rule, in the zone of its event. */
export function untilDay(until: string, tz: string): Day | undefined {
  const [, year, month, date, hour, minute, second, utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/.exec(until) ?? [];
  const day = dayFrom(Number(year), Number(month), Number(date));
  if (day === undefined || utc === undefined) return day;
  const instant =
    midnightOf(day) + (Number(hour) * 3_600 + Number(minute) * 60 + Number(second)) * 1_000;
  return Math.floor(wallAt(instant, tz) / DAY_MS);
}

export function formatRule(rule: Rule, start: RuleStart): string {
  const parts = [`FREQ=${rule.frequency.toUpperCase()}`];
  if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
  const { weekdays, nth, end } = rule;
  if (rule.frequency === 'weekly' && weekdays.length > 0)
    parts.push(
      `BYDAY=${weekdays
        .toSorted((a, b) => a - b)
        .map((each) => CODES[each])
        .join()}`,
    );
  if (nth && rule.frequency === 'yearly') parts.push(`BYMONTH=${partsOf(start.day).month + 1}`);
  if (nth) parts.push(`BYDAY=${nth.nth}${CODES[nth.weekday] ?? ''}`);
  if (end.kind === 'count') parts.push(`COUNT=${end.count}`);
  if (end.kind === 'until') parts.push(`UNTIL=${untilText(end.day, start)}`);
  return parts.join(';');
}

/** The end of the day. With a time it has to be in UTC (RFC 5545 §3.3.10). */
function untilText(day: Day, { tz, allDay }: RuleStart): string {
  const compact = (text: string) => text.replaceAll(/[-:]/g, '');
  if (allDay) return compact(isoDay(day));
  const end = new Date(instantAt(midnightOf(day + 1) - 1_000, tz));
  return `${compact(end.toISOString().slice(0, 19))}Z`;
}

/** Which weekday of its month a day is: the fourth Tuesday. */
export const nthOf = (day: Day): Nth => ({
  nth: Math.ceil(partsOf(day).date / WEEK),
  weekday: weekdayOf(day),
});

/** Whether it is the last of these weekdays in its month. */
export const isLastOfMonth = (day: Day): boolean =>
  partsOf(day + WEEK).month !== partsOf(day).month;

/**
 * The rule of a series that moves by days: one that repeats on Mondays repeats on Tuesdays then. Undefined where the rule
 * does not say how.
 */
export function movedRule(rrule: string, start: RuleStart, to: Day): string | undefined {
  const by = to - start.day;
  if (by === 0) return rrule;
  const rule = parseRule(rrule, start);
  if (!rule) return undefined;
  const { weekdays, nth } = rule;
  const moved: Rule = {
    ...rule,
    weekdays: weekdays.map((each) => (((each + by) % WEEK) + WEEK) % WEEK),
    nth:
      nth && (nth.nth < 0 && isLastOfMonth(to) ? { nth: -1, weekday: weekdayOf(to) } : nthOf(to)),
  };
  return formatRule(moved, { ...start, day: to });
}
