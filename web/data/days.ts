/**
 * Days of a filter. The service compares times: `created_from` is the first moment of a day, `created_to` the first that no
 * longer belongs. Days are those of the device's time zone, written `2026-11-28`.
 */

/** The first moment of a day, or of one after it; undefined without a day. */
export function startOfDay(day: string, plusDays = 0): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return day ? new Date(year, month - 1, date + plusDays).toISOString() : undefined;
}

/** The day of a time. */
export function dayOf(at: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

export const firstDayOf = (from: string | undefined): string | undefined =>
  from === undefined ? undefined : dayOf(new Date(from));

/** The day of the last moment before `to`. */
export const lastDayOf = (to: string | undefined): string | undefined =>
  to === undefined ? undefined : dayOf(new Date(Date.parse(to) - 1));
