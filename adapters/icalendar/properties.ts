import ICAL from 'ical.js';
import type { Duration } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime } from '../../ports/time-zones.ts';

const END = '\r\n';

/** Octets per line without its end (RFC 5545 §3.1: 75). The library does not count the blank of a folded one. */
ICAL.foldLength = 74;

type Params = Readonly<Record<string, string>>;

/** A custom property, with its value in the format's syntax. */
export const plain = (name: string, value: string): string => property(name, {}, 'unknown', value);

/** Any text is escaped to one value. Any kind of line break becomes a line feed. */
export const text = (name: string, value: string): string =>
  property(name, {}, 'text', value.replaceAll(/\r\n?/g, '\n'));

/** As `text`, for properties that the library does not know to be text. */
export const ownText = (name: string, value: string): string =>
  plain(name, escaped(value.replaceAll(/\r\n?/g, '\n')));

const escaped = (value: string): string =>
  ICAL.stringify.value(value, 'text', ICAL.design.icalendar, false);

export const time = (name: string, value: Written, params: Params = {}): string =>
  property(name, value.zone === null ? params : { tzid: value.zone }, value.type, value.text);

export const component = (name: string, content: readonly string[]): string =>
  [`BEGIN:${name}${END}`, ...content, `END:${name}${END}`].join('');

/** Folded, with its line end. */
function property(name: string, params: Params, type: string, value: string): string {
  const jCal = [name.toLowerCase(), params, type, value];
  return folded(ICAL.stringify.property(jCal, ICAL.design.icalendar, true));
}

/** A rule is written unchanged; the library would alter it, or throw. */
export const rule = (value: string): string => folded(`RRULE:${value.replaceAll(/\s/g, '')}`);

const LINE = 75;

/** At most 75 octets per line, including the space that begins a continuation (RFC 5545 §3.1). */
function folded(line: string): string {
  const lines: string[] = [];
  let from = 0;
  let octets = 0;
  for (let at = 0; at < line.length;) {
    const point = line.codePointAt(at)!;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (octets + size > LINE) {
      lines.push(line.slice(from, at));
      from = at;
      octets = 1;
    }
    octets += size;
    at += size === 4 ? 2 : 1;
  }
  lines.push(line.slice(from));
  return lines.join(`${END} `) + END;
}

/** A time for the library: ISO 8601 with its value type. */
export interface Written {
  readonly type: 'date' | 'date-time';
  readonly text: string;
  readonly zone: string | null;
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

export const asDay = (local: LocalTime): Written => ({
  type: 'date',
  text: iso(local).slice(0, 10),
  zone: null,
});

export const asInstant = (instant: Instant): Written => ({
  type: 'date-time',
  text: `${iso(instant)}Z`,
  zone: null,
});

export const asReading = (local: LocalTime, zone: string | null): Written => ({
  type: 'date-time',
  text: iso(local),
  zone,
});

export function duration(name: string, { days, ms }: Duration): string {
  const seconds = Math.floor(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ].flatMap(([amount, unit]) => (amount === 0 ? [] : [`${amount}${unit}`]));
  const time = parts.length > 0 ? `T${parts.join('')}` : '';
  const value = days === 0 && time === '' ? 'PT0S' : `P${days > 0 ? `${days}D` : ''}${time}`;
  return property(name, {}, 'duration', value);
}

export const minutesBefore = (name: string, minutes: number): string =>
  property(name, {}, 'duration', `-PT${minutes}M`);

/** ±hhmm, with seconds where there are any. */
export function offset(name: string, ms: number): string {
  const size = Math.abs(ms) / 1_000;
  const [hours, minutes, seconds] = [size / 3_600, (size / 60) % 60, size % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  const end = seconds === '00' ? '' : `:${seconds}`;
  return property(name, {}, 'utc-offset', `${ms < 0 ? '-' : '+'}${hours}:${minutes}${end}`);
}
