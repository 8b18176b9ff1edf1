import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import type { Instant } from '../../ports/runtime.ts';
import { param, Unreadable, type Property } from './content-lines.ts';

export const SECOND = 1_000;
export const DAY = 86_400_000;

/** A time in a file (RFC 5545 §3.3.4 and §3.3.5): a date, an instant, or a local time in a zone. */
export type DateValue =
  | { readonly kind: 'day'; readonly local: LocalTime; readonly zone: string }
  | { readonly kind: 'instant'; readonly instant: Instant }
  /** `zone` is '' for a floating time. */
  | { readonly kind: 'reading'; readonly local: LocalTime; readonly zone: string };

/** The IANA name for a TZID, at about that time. */
export type ZoneOf = (tzid: string, near: LocalTime, line: number) => string;

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i;

export function momentOf(text: string, property: Property, zoneOf: ZoneOf): DateValue {
  const parts = TIME.exec(text.trim());
  const local = parts ? readingOf(parts) : undefined;
  if (!parts || local === undefined)
    throw new Unreadable(property.line, `"${text.slice(0, 40)}" is not a valid time.`);
  if (parts[7]) return { kind: 'instant', instant: local };
  const tzid = param(property, 'tzid');
  const zone = tzid === '' ? '' : zoneOf(tzid, local, property.line);
  return { kind: parts[4] === undefined ? 'day' : 'reading', local, zone };
}

/** undefined for a date or time that does not exist. A leap second is read as 59. */
function readingOf(parts: readonly (string | undefined)[]): LocalTime | undefined {
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const date = civil(year, month, day);
  const isDay = new Date(date).getUTCDate() === day && month >= 1 && month <= 12;
  if (!isDay || hour > 23 || minute > 59 || second > 60) return undefined;
  return date + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * SECOND;
}

/** Midnight of a date. Date.UTC would map years before 100 to those after 1900. */
export const civil = (year: number, month: number, day: number): LocalTime =>
  new Date(0).setUTCFullYear(year, month - 1, day);

export const yearOf = (local: LocalTime): number => new Date(local).getUTCFullYear();

export const midnightOf = (local: LocalTime): LocalTime => Math.floor(local / DAY) * DAY;

export function instantOf(moment: DateValue, floating: string, zones: TimeZones): Instant {
  return moment.kind === 'instant'
    ? moment.instant
    : zones.toInstant(moment.zone || floating, moment.local);
}

/** The local time that identifies an occurrence in its series, however a file writes it. */
export function onClocksOf(
  series: { readonly start: LocalTime; readonly tz: string; readonly allDay: boolean },
  moment: DateValue,
  zones: TimeZones,
): LocalTime {
  const timeOfDay = series.start - midnightOf(series.start);
  if (series.allDay) return dayOf(moment, series.tz, zones);
  if (moment.kind === 'day') return moment.local + timeOfDay;
  if (moment.kind === 'reading' && (moment.zone || series.tz) === series.tz) return moment.local;
  const instant = instantOf(moment, series.tz, zones);
  const shown = zones.toLocal(series.tz, instant);
  // The rule may name a local time in a gap, while the file has the one shown by the clock.
  const byRule = midnightOf(shown) + timeOfDay;
  return zones.toInstant(series.tz, byRule) === instant ? byRule : shown;
}

function dayOf(moment: DateValue, tz: string, zones: TimeZones): LocalTime {
  if (moment.kind !== 'instant') return midnightOf(moment.local);
  // Programs that only know UTC write dates as midnight UTC.
  const isMidnight = moment.instant === midnightOf(moment.instant);
  return midnightOf(isMidnight ? moment.instant : zones.toLocal(tz, moment.instant));
}

const DURATION =
  /^([+-]?)P(?=[\dT])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/i;

export interface SignedDuration {
  readonly sign: 1 | -1;
  readonly days: number;
  readonly ms: number;
}

/** RFC 5545 §3.3.6; undefined if invalid. */
export function durationOf(text: string): SignedDuration | undefined {
  const parts = DURATION.exec(text.trim());
  if (!parts) return undefined;
  const [weeks, days, hours, minutes, seconds] = parts
    .slice(2)
    .map((part) => Number((part as string | undefined) ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    sign: parts[1] === '-' ? -1 : 1,
    days: weeks * 7 + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * SECOND,
  };
}
