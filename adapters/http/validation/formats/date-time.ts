import type { SentDateTime } from '../../schema.ts';

/**
 * ISO 8601 in the profile of RFC 3339 §5.6, with the variations of its note: lower case, a space instead of `T`.
 * Seconds are optional.
 */
const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+\-\u2212])(\d\d):?(\d\d))?)?$/;

export type ParsedDateTime = { readonly dateTime: SentDateTime } | { readonly error: string };

/**
 * Parses a date-time, or a date as its midnight. Digits beyond milliseconds are cut off. Numbers are rejected, although
 * the interfaces that this one follows read them as seconds since 1970: `2026` would be an evening of that year.
 */
export function parseDateTime(text: string): ParsedDateTime {
  const found = SHAPE.exec(text);
  if (!found) return { error: dateFault(text) };
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = found;
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found.slice(7);
  const inRange =
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60;
  if (!inRange || dayFault(Number(year), Number(month), Number(day)))
    return { error: dateFault(text) };
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const east = Number(offsetHour) * 60 + Number(offsetMinute);
  const zulu = /[Zz]$/.test(text);
  const offsetMinutes =
    sign === undefined ? (zulu ? 0 : null) : sign === '+' || east === 0 ? east : -east;
  return { dateTime: { local, offsetMinutes } };
}

/** The reason why a text does not begin with a date. Clients get the same message for every wrong part. */
function dateFault(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length < 10) return 'input is too short';
  const digits = (from: number, to: number) => /^\d+$/.test(bytes.toString('latin1', from, to));
  const dashAt = (at: number) => bytes[at] === 0x2d;
  if (!digits(0, 4)) return 'invalid character in year';
  if (!dashAt(4)) return 'invalid date separator, expected `-`';
  if (!digits(5, 7)) return 'invalid character in month';
  if (!dashAt(7)) return 'invalid date separator, expected `-`';
  if (!digits(8, 10)) return 'invalid character in day';
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return dayFault(year, month, day) ?? 'unexpected extra characters at the end of the input';
}

function dayFault(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12';
  // Day 0 of the next month is the last of this one. `Date` maps years below 100 to 19xx, which have the same leap
  // years.
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > last) return 'day value is outside expected range';
  return year === 0 ? 'year 0 is out of range' : undefined;
}
