import { t } from '../../i18n/calendar.ts';
import { timeZone } from '../../state/preferences.ts';
import type { Day } from './days.ts';
import { dayText, daysText, fullDayText, momentText, timesText, timeText } from './formats.ts';
import { describedBy } from './from-document.ts';
import type { Item } from './items.ts';
import { showSameTime, wallAt, zoneName } from './zones.ts';

/** What stands in front of the title: the time of the start, or that it lasts all day. */
export const leadOf = (item: Item): string =>
  item.data.all_day ? t().calendar.allDay : timeText(item.start);

/** `not certain`, `cancelled` */
export const statusWord = ({ data }: Item): string =>
  data.status === 'confirmed' ? '' : t().calendar.status[data.status];

/** The same time by the clocks of the event's own zone, where they differ from the owner's. */
export function ownZoneWords({ data }: Item): string {
  const start = Date.parse(data.starts_at);
  if (data.all_day || showSameTime(data.tz, timeZone.value, start)) return '';
  const there = timesText(wallAt(start, data.tz), wallAt(Date.parse(data.ends_at), data.tz));
  return t().calendar.inZone(there, zoneName(data.tz));
}

/** The day and the times: `Tuesday, 24 November 2026, 20:00 – 21:45`. */
export function whenOf(item: Item): string {
  const { firstDay, lastDay, start, end, data } = item;
  if (data.all_day)
    return firstDay === lastDay ? fullDayText(firstDay) : daysText(firstDay, lastDay);
  if (firstDay === lastDay) return `${fullDayText(firstDay)}, ${timesText(start, end)}`;
  return `${momentText(start)} – ${momentText(end)}`;
}

/** What is not seen of an event in the grid, for screen readers: it follows its time and title. */
export function restOf(item: Item, day: Day): string {
  const { calendar } = t();
  const { firstDay, lastDay, data } = item;
  const length = lastDay - firstDay + 1;
  const marks = [
    dayText(day),
    data.all_day && calendar.allDay,
    length > 1 && calendar.dayOf(day - firstDay + 1, length),
    statusWord(item),
    ownZoneWords(item),
    data.recurring && calendar.repeats,
    describedBy(data.description).source && calendar.fromDocument,
  ];
  return ['', ...marks.filter(Boolean)].join(', ');
}

/** Under the title in a list. */
export function detailOf(item: Item): string {
  const { data, start, end, firstDay, lastDay } = item;
  const until =
    data.all_day || end === start
      ? lastDay > firstDay && daysText(firstDay, lastDay)
      : lastDay > firstDay
        ? t().calendar.until(momentText(end))
        : t().calendar.until(timeText(end));
  return [statusWord(item), data.location, until, ownZoneWords(item)].filter(Boolean).join(' · ');
}
