import { computed } from '@preact/signals';
import { asHeading, regional } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { midnightOf, WEEK, weekdayOf, type Day, type Wall } from './days.ts';

const locale = computed(() => regional(language.value));
const made = computed(() => ({
  locale: locale.value,
  formats: new Map<string, Intl.DateTimeFormat>(),
}));

/** Days and walls have no zone of their own, so that they are formatted in UTC. */
function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { formats, locale: chosen } = made.value;
  let found = formats.get(name);
  if (!found) {
    found = new Intl.DateTimeFormat(chosen, { ...options, timeZone: 'UTC' });
    formats.set(name, found);
  }
  return found;
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

export const timeText = (wall: Wall): string => format('time', TIME).format(wall);
/** `20:00 – 21:45` */
export const timesText = (start: Wall, end: Wall): string =>
  format('time', TIME).formatRange(start, end);
/** `November 2026` */
export const monthText = (day: Day): string =>
  asHeading(format('month', { month: 'long', year: 'numeric' }).format(midnightOf(day)));
/** `24` */
export const dateText = (day: Day): string =>
  format('date', { day: 'numeric' }).format(midnightOf(day)).replaceAll(/\D/g, '');
/** `1 Nov` */
export const dateInMonthText = (day: Day): string =>
  format('dateMonth', { day: 'numeric', month: 'short' }).format(midnightOf(day));
/** `Tue 24 Nov` */
export const shortDayText = (day: Day): string => format('short', DAY).format(midnightOf(day));
/** `Tuesday, 24 November` */
export const dayText = (day: Day): string =>
  format('day', { weekday: 'long', day: 'numeric', month: 'long' }).format(midnightOf(day));
/** `Tuesday, 24 November 2026` */
export const fullDayText = (day: Day): string =>
  format('full', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(
    midnightOf(day),
  );
/** `Tue 24 Nov – Thu 26 Nov` */
export const daysText = (first: Day, last: Day): string =>
  first === last
    ? shortDayText(first)
    : format('short', DAY).formatRange(midnightOf(first), midnightOf(last));
/** `23 – 29 Nov 2026` */
export const weekText = (first: Day, last: Day): string =>
  format('week', { day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
    midnightOf(first),
    midnightOf(last),
  );
/** `Tue 24 Nov, 20:00` */
export const momentText = (wall: Wall): string =>
  format('moment', { ...DAY, ...TIME }).format(wall);

/** A day from its weekday on: 1970-01-05 was a Monday. */
const SOME_MONDAY: Day = 4;

/** `weekday`: 0 is Monday. */
export const weekdayText = (weekday: number, length: 'long' | 'short' | 'narrow'): string =>
  format(`weekday ${length}`, { weekday: length }).format(midnightOf(SOME_MONDAY + weekday));
/** `month`: from 0. */
export const monthNameText = (month: number): string =>
  format('monthName', { month: 'long' }).format(Date.UTC(2026, month, 1));

interface WeekInfo {
  /** 1 is Monday. */
  readonly firstDay: number;
}
interface LocaleWithWeek extends Intl.Locale {
  readonly weekInfo?: WeekInfo;
  readonly getWeekInfo?: () => WeekInfo;
}

/** The weekday on which weeks begin here, 0 is Monday. */
export const firstWeekday = computed((): number => {
  const chosen: LocaleWithWeek = new Intl.Locale(locale.value);
  const info = chosen.getWeekInfo?.() ?? chosen.weekInfo;
  return ((info?.firstDay ?? 1) - 1) % WEEK;
});

/** 0 is Monday, in the order of the locale. */
export const weekdays = (): readonly number[] =>
  Array.from({ length: WEEK }, (_, n) => (firstWeekday.value + n) % WEEK);

export const weekdayName = (day: Day, length: 'long' | 'short' | 'narrow'): string =>
  weekdayText(weekdayOf(day), length);
