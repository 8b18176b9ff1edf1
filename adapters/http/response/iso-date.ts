const DAY_MS = 86_400_000;
/** The last time that a Date holds (ECMA-262, time values): an invalid one may fall on the same day. */
const MAX_TIME_MS = 8.64e15;

let day = NaN;
let prefix = '';

/**
 * Formats whole milliseconds since 1970 as ISO 8601 in UTC, like `toISOString`. A list page contains dozens of
 * timestamps, most of the same day. So the last date is cached and only the time is computed. Throws a RangeError for
 * an invalid time.
 */
export function toIsoString(at: number): string {
  if (!(at <= MAX_TIME_MS)) throw new RangeError('Invalid time value');
  const of = Math.floor(at / DAY_MS);
  if (of !== day) {
    const text = new Date(at).toISOString();
    prefix = text.slice(0, text.indexOf('T') + 1);
    day = of;
  }
  const ms = at - of * DAY_MS;
  const s = Math.trunc(ms / 1_000);
  const m = Math.trunc(s / 60);
  return `${prefix}${two(Math.trunc(m / 60))}:${two(m % 60)}:${two(s % 60)}.${three(ms % 1_000)}Z`;
}

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`);
const three = (n: number): string => (n < 100 ? `0${two(n)}` : `${n}`);
