import { addMonths, dayFrom, partsOf, type Day } from './days.ts';

/** Months are written in these languages in every language of the app. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'it', 'pt', 'nl', 'pl'];
/** Shorter names of months are those of other words. */
const MIN_LETTERS = 3;

let known: readonly { readonly name: string; readonly month: number }[] | undefined;

/** Names of months as they stand beside a day: the genitive, where there is one. */
function monthNames() {
  known ??= LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const format = new Intl.DateTimeFormat(language, {
        month: length,
        day: 'numeric',
        timeZone: 'UTC',
      });
      return Array.from({ length: 12 }, (_, month) => {
        const parts = format.formatToParts(Date.UTC(2026, month, 1));
        const name = parts.find(({ type }) => type === 'month')?.value ?? '';
        return { name: name.replace('.', '').toLowerCase(), month: month + 1 };
      });
    }),
  ).filter(({ name }) => /^\p{L}{3,}$/u.test(name));
  return known;
}

function monthOf(word: string): number | undefined {
  const letters = word.toLowerCase().replace('.', '');
  if (letters.length < MIN_LETTERS) return undefined;
  return monthNames().find(({ name }) => name === letters || name.startsWith(letters))?.month;
}

/** `26` is 2026. */
const yearOf = (text: string): number => (text.length === 2 ? 2_000 + Number(text) : Number(text));

/**
 * The day that words of a document name: `30 November 2026`, `30.11.2026`, `11/30/2026`, `2026年11月30日`. One without a year is
 * the next after `now`. Undefined without a day.
 */
export function dayOfWords(text: string, language: string, now: Day): Day | undefined {
  const iso = /\b(\d{4})[-./年]\s?(\d{1,2})[-./月]\s?(\d{1,2})/.exec(text);
  if (iso) return dayFrom(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /\b(\d{1,2})\s?[.-]\s?(\d{1,2})\s?[.-]\s?(\d{4}|\d{2})\b/.exec(text);
  if (dotted) return dayFrom(yearOf(dotted[3] ?? ''), Number(dotted[2]), Number(dotted[1]));
  const slashed = /\b(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\b/.exec(text);
  if (slashed) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])];
    const year = yearOf(slashed[3] ?? '');
    // English has the month first, unless only the other order makes a day.
    const isMonthFirst = language === 'en' ? first <= 12 : second > 12;
    return isMonthFirst ? dayFrom(year, first, second) : dayFrom(year, second, first);
  }
  return dayOfMonthName(text, now);
}

function dayOfMonthName(text: string, now: Day): Day | undefined {
  const month = (text.match(/\p{L}{3,}/gu) ?? []).map(monthOf).find((each) => each !== undefined);
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  const date = /(?<!\d)(\d{1,2})(?!\d)/.exec(text)?.[1];
  if (month === undefined || date === undefined) return undefined;
  if (year !== undefined) return dayFrom(Number(year), month, Number(date));
  const thisYear = dayFrom(partsOf(now).year, month, Number(date));
  return thisYear !== undefined && thisYear < now ? addMonths(thisYear, 12) : thisYear;
}

const AFTER_DATE =
  /^[^\n.;]{0,24}?(?<!\d)([01]?\d|2[0-3])[:.h]([0-5]\d)(?!\d|[./]\d)\s*([ap])?\.?m?/i;

/** The time that stands right after a date, as minutes since midnight. */
export function timeAfter(text: string): number | undefined {
  const [, hours, minutes, half] = AFTER_DATE.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const hour = Number(hours);
  const isAfternoon = half?.toLowerCase() === 'p' && hour < 12;
  return (isAfternoon ? hour + 12 : hour) * 60 + Number(minutes);
}
