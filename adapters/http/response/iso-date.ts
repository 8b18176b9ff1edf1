const DAY_MS = 86_400_000;

let day = NaN;
let prefix = '';

/**
 * Whole milliseconds since 1970 as ISO 8601 in UTC, as `toISOString` has it. A page of a list holds dozens of them, most of
 * which share a day: the date of the last one is kept, and its time is all that is worked out. Throws a RangeError for
 * what is no time.
 */
export function toIsoString(at: number): string {
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
