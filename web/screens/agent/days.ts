import { formatMoment, regional } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { timeZone } from '../../state/preferences.ts';

const dayIn = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(regional(language.value), { dateStyle: 'full', timeZone: zone });

/** A calendar day without a zone: `2026-11-23`. As it is written where it is none. */
export function formatCalendarDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const format = new Intl.DateTimeFormat(regional(language.value), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
  return format.format(date);
}

/** The day of a moment in the owner's zone. */
export const formatDayOf = (at: string): string => dayIn(timeZone.value).format(new Date(at));

/** A time as a model writes it. Without an offset it is meant in the owner's zone. */
export function formatWritten(time: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return formatCalendarDay(time);
  if (Number.isNaN(new Date(time).getTime())) return time;
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(time)) return formatMoment(time);
  const format = new Intl.DateTimeFormat(regional(language.value), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${time}Z`));
}
