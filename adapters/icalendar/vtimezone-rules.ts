import type { LocalTime } from '../../ports/time-zones.ts';
import { linesOf, lineOf, type Component } from './components.ts';
import { propertyOf } from './content-lines.ts';
import { civil, DAY, midnightOf, momentOf, yearOf, type DateValue } from './date-values.ts';

/** The UTC offset in milliseconds that a VTIMEZONE defines for a local time. */
export type FiledRules = (local: LocalTime) => number;

interface Observance {
  readonly before: number;
  readonly after: number;
  /** Number of onsets per year that may be the last one before a local time in that year or the next. */
  readonly onsets: (year: number) => readonly LocalTime[];
}

/** undefined if the zone has unusual rules. Throws Unreadable. */
export function filedRules(zone: Component): FiledRules | undefined {
  const observances = zone.parts.slice(0, 200).map(observanceOf);
  const sound = observances.filter((it) => it !== undefined);
  if (sound.length === 0 || sound.length < observances.length) return undefined;
  return (local) => {
    let latest = -Infinity;
    let earliest = Infinity;
    let offset = 0;
    let first = 0;
    for (const { before, after, onsets } of sound)
      for (const onset of onsets(yearOf(local))) {
        if (onset <= local && onset > latest) [latest, offset] = [onset, after];
        if (onset < earliest) [earliest, first] = [onset, before];
      }
    return latest === -Infinity ? first : offset;
  };
}

function observanceOf(part: Component): Observance | undefined {
  const before = offsetOf(part, 'TZOFFSETFROM');
  const after = offsetOf(part, 'TZOFFSETTO');
  const start = timesOf(part, 'DTSTART')[0];
  if (before === undefined || after === undefined || start === undefined) return undefined;
  const dates = [start, ...timesOf(part, 'RDATE')];
  const rule = lineOf(part, 'RRULE');
  if (!rule) return { before, after, onsets: () => dates };
  const yearly = yearlyOf(propertyOf(rule).raw, start);
  if (!yearly) return undefined;
  const { dayIn, until } = yearly;
  const time = start - midnightOf(start);
  const onsets = (year: number): readonly LocalTime[] => {
    const last = Math.min(year, yearOf(until));
    const byRule = [last - 1, last].map((it) => dayIn(it) + time);
    return [...dates, ...byRule.filter((onset) => onset > start && onset <= until + DAY)];
  };
  return { before, after, onsets };
}

function timesOf(part: Component, name: string): readonly LocalTime[] {
  return linesOf(part, name).flatMap((line) => {
    const property = propertyOf(line);
    return property.raw.split(',').map((text) => localOf(momentOf(text, property, () => '')));
  });
}

const localOf = (moment: DateValue): LocalTime =>
  moment.kind === 'instant' ? moment.instant : moment.local;

const OFFSET = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/;

function offsetOf(part: Component, name: string): number | undefined {
  const line = lineOf(part, name);
  const parts = line && OFFSET.exec(propertyOf(line).raw.trim());
  if (!parts) return undefined;
  const [hours, minutes, seconds] = parts.slice(2).map((it: string | undefined) => Number(it ?? 0));
  const size = ((hours! * 60 + minutes!) * 60 + seconds!) * 1_000;
  return parts[1] === '-' ? -size : size;
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The rules that real zones have: a day of a month, the nth or last weekday, or a weekday within a range of days. */
function yearlyOf(
  rule: string,
  start: LocalTime,
): { dayIn: (year: number) => LocalTime; until: LocalTime } | undefined {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string | undefined]),
  );
  const get = (name: string): string => parts.get(name)?.trim() ?? '';
  const month = Number(get('BYMONTH') || new Date(start).getUTCMonth() + 1);
  const byDay = /^([+-]?[1-5])?(SU|MO|TU|WE|TH|FR|SA)$/.exec(get('BYDAY'));
  const among = get('BYMONTHDAY').split(',').filter(Boolean).map(Number);
  const odd = get('FREQ') !== 'YEARLY' || !['', '1'].includes(get('INTERVAL'));
  if (odd || !(month >= 1 && month <= 12) || (get('BYDAY') !== '' && !byDay)) return undefined;
  if (byDay && byDay[1] === undefined && among.length === 0) return undefined;
  if (among.some((day) => !(day >= 1 && day <= 31))) return undefined;
  const until = untilOf(get('UNTIL'), get('COUNT'), start);
  if (until === undefined) return undefined;
  const date = among.length > 0 ? Math.min(...among) : new Date(start).getUTCDate();
  const weekday = DAYS.indexOf(byDay?.[2] ?? '');
  const dayIn = (year: number): LocalTime => {
    if (!byDay) return civil(year, month, date);
    if (byDay[1] === undefined) return onOrAfter(civil(year, month, date), weekday);
    const nth = Number(byDay[1]);
    if (nth > 0) return onOrAfter(civil(year, month, 1 + 7 * (nth - 1)), weekday);
    return onOrAfter(civil(year, month + 1, 1 + 7 * nth), weekday);
  };
  return { dayIn, until };
}

const onOrAfter = (day: LocalTime, weekday: number): LocalTime =>
  day + ((weekday - new Date(day).getUTCDay() + 7) % 7) * DAY;

function untilOf(until: string, count: string, start: LocalTime): LocalTime | undefined {
  if (count !== '') return civil(yearOf(start) + Number(count) - 1, 12, 31);
  if (until === '') return civil(9_999, 12, 31);
  const parts = /^(\d{4})(\d\d)(\d\d)/.exec(until);
  return parts ? civil(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
}
