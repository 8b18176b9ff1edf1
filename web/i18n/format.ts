import { computed } from '@preact/signals';
import { timeZone } from '../state/preferences.ts';
import { language } from './language.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const DAY_MS = 86_400_000;

/** The browser's own form of the language: `en-GB` has another clock than `en`. */
export const regional = (chosen: string): string =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === chosen) ?? chosen;

const formats = computed(() => {
  const locale = regional(language.value);
  const zone = { timeZone: timeZone.value };
  return {
    number: new Intl.NumberFormat(locale),
    time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', ...zone }),
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...zone }),
    dayOfYear: new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...zone,
    }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', ...zone }),
    full: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone }),
    /** Sortable, in the owner's zone: `2026-11-23`. */
    key: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...zone }),
    list: new Intl.ListFormat(locale),
  };
});

/** By unit, then by digits after the decimal point. To make a format takes longer than to show a row of a list. */
const sizes = computed(() =>
  UNITS.map((unit, power) =>
    [0, 1].map(
      (digits) =>
        new Intl.NumberFormat(language.value, {
          style: 'unit',
          unit,
          // English has `115 byte` for the short form.
          unitDisplay: power > 0 ? 'short' : 'long',
          maximumFractionDigits: digits,
        }),
    ),
  ),
);

export const formatNumber = (value: number): string => formats.value.number.format(value);
export const formatList = (items: readonly string[]): string => formats.value.list.format(items);
/** A heading begins with a capital, also in languages that write months small. */
export const asHeading = (text: string): string => {
  const [first = ''] = text;
  return first.toLocaleUpperCase(language.value) + text.slice(first.length);
};
export const formatMonth = (at: string): string =>
  asHeading(formats.value.month.format(new Date(at)));
export const formatMoment = (at: string): string => formats.value.full.format(new Date(at));
export const formatTime = (at: string): string => formats.value.time.format(new Date(at));
/** The day in the owner's zone, sortable. */
export const dayKey = (at: string | number): string => formats.value.key.format(new Date(at));

/** The time of today, the day of about this year, else with the year. */
export function formatDay(at: string, now = Date.now()): string {
  const { day, dayOfYear, time } = formats.value;
  const date = new Date(at);
  if (dayKey(at) === dayKey(now)) return time.format(date);
  return Math.abs(now - date.getTime()) < 300 * DAY_MS ? day.format(date) : dayOfYear.format(date);
}

/** `1.2 MB`, with one decimal below ten. */
export function formatSize(bytes: number): string {
  const power =
    bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1_000)), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  const digits = power > 0 && value < 10 ? 1 : 0;
  return sizes.value[power]?.[digits]?.format(value) ?? '';
}
