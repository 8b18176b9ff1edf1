import { MONTH, monthOf } from './month-names.ts';
import { all, type Found, type Groups } from './spans.ts';

/** A date as written; the year or the day may be missing. */
export interface FoundDate extends Found {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
}

const EDGE = String.raw`(?<![\p{L}\p{N}.,/:-])`;
const END = String.raw`(?![\p{L}\p{N}]|[./:-]\p{N})`;
const YEAR = String.raw`(?<year>(?:1[5-9]|20|21)\d\d)`;
const DAY = String.raw`(?<day>0?[1-9]|[12]\d|3[01])`;
const NUMBER = String.raw`(?<month>0?[1-9]|1[0-2])`;
const NAME = String.raw`(?<name>${MONTH})\.?`;
const RUSSIAN_YEAR = String.raw`(?:\s?(?:г\.|года|году|г(?![\p{L}\p{N}])))?`;

const make = (body: string, flags = 'giu'): RegExp => new RegExp(`${EDGE}(?:${body})`, flags);

const ISO = make(
  `${YEAR}([-/.])${NUMBER}\\2${DAY}(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,3})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?${END}`,
);
const DOTTED = make(
  `(?:${DAY}\\.${NUMBER}\\.${YEAR}|(?<d2>\\d\\d)\\.(?<m2>\\d\\d)\\.(?<y2>\\d\\d))${RUSSIAN_YEAR}${END}`,
);
const DASHED = make(`${DAY}-${NUMBER}-${YEAR}${END}`);
const SLASHED = make(`(?<a>\\d{1,2})/(?<b>\\d{1,2})/(?<y>(?:1[5-9]|20|21)\\d\\d|\\d\\d)${END}`);
/** 12 March 2024, 12th of March, 12. März 2024, 12 марта 2024 г., le 1er mars, 12 de marzo de 2024; «12» марта. */
const DAY_FIRST = make(
  `[«"]?${DAY}[»"]?(?:st|nd|rd|th|er|º|-го|-е)?\\.?[ \\t\\u00a0]{1,3}(?:de |of )?${NAME}(?!\\p{L})(?:,?[ \\t\\u00a0]{1,3}(?:de |del )?${YEAR}(?!\\p{N})${RUSSIAN_YEAR})?`,
);
const MONTH_FIRST = make(
  `${NAME}[ \\t\\u00a0]{1,3}${DAY}(?:st|nd|rd|th)?(?![\\p{N}:]|[.,]\\d)(?:,?[ \\t\\u00a0]{1,3}${YEAR}(?!\\p{N}))?`,
);
const MONTH_ONLY = make(
  `${NAME}(?!\\p{L})[ \\t\\u00a0]{1,3}(?:de |del )?${YEAR}(?!\\p{N})${RUSSIAN_YEAR}`,
);
const CHINESE =
  /(?<year>(?:1[89]|20|21)\d\d)\s?年\s?(?<month>1[0-2]|0?[1-9])\s?月(?:\s?(?<day>3[01]|[12]\d|0?[1-9])\s?日)?/gu;

/**
 * The dates of a text, in order, without overlaps.
 *
 * @param language ISO 639-1. In English 3/12/2024 is March 12, unless the text has a date that can only be
 *   day first. In other languages the day comes first.
 */
export function datesOf(text: string, language: string): readonly FoundDate[] {
  const slashed = all(text, SLASHED);
  const monthFirst = language === 'en' && !slashed.some(({ groups }) => Number(groups['a']) > 12);
  const candidates = [
    ...[ISO, CHINESE, DOTTED, DASHED, DAY_FIRST, MONTH_FIRST, MONTH_ONLY].flatMap((pattern) =>
      all(text, pattern).flatMap((found) => dated(found, plainParts(found.groups))),
    ),
    ...slashed.flatMap((found) => dated(found, slashedParts(found.groups, monthFirst))),
  ];
  return withoutOverlaps(candidates);
}

interface Parts {
  readonly year: number | undefined;
  readonly month: number | undefined;
  readonly day: number | undefined;
}

function plainParts({ year, month, day, name, d2, m2, y2 }: Groups): Parts {
  return {
    year: y2 === undefined ? numberOf(year) : fullYear(y2),
    month: name === undefined ? numberOf(m2 ?? month) : monthOf(name),
    day: numberOf(d2 ?? day),
  };
}

function slashedParts({ a, b, y = '' }: Groups, monthFirst: boolean): Parts {
  const [first, second] = [numberOf(a), numberOf(b)];
  const american = Number(second) > 12 || (monthFirst && Number(first) <= 12);
  return {
    year: y.length === 2 ? fullYear(y) : Number(y),
    month: american ? first : second,
    day: american ? second : first,
  };
}

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);
/** Two-digit years up to 69 are in this century, as in POSIX. */
const fullYear = (digits: string): number => Number(digits) + (Number(digits) < 69 ? 2000 : 1900);

function dated(found: Found, { year, month, day }: Parts): readonly FoundDate[] {
  if (month === undefined || month < 1 || month > 12) return [];
  if (day !== undefined && (day < 1 || day > daysIn(year ?? 2024, month))) return [];
  // The full stop of a sentence is not part of a date; that of a Russian year is.
  const text = found.text.replace(/(?<!г)\.$/u, '');
  return [{ text, start: found.start, end: found.start + text.length, year, month, day }];
}

const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The longest of overlapping matches wins: 12 March 2024 over March 2024. */
function withoutOverlaps(dates: readonly FoundDate[]): readonly FoundDate[] {
  const stored: FoundDate[] = [];
  const inOrder = [...dates].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const date of inOrder) {
    const last = stored.at(-1);
    if (!last || date.start >= last.end) stored.push(date);
    else if (date.end - date.start > last.end - last.start) stored[stored.length - 1] = date;
  }
  return stored;
}
