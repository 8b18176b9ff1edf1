import { useRef } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource, type Resource } from '../../data/resource.ts';
import { formatList } from '../../i18n/format.ts';
import { t } from '../../i18n/calendar.ts';
import { readEvent } from './agenda.ts';
import type { CalendarEvent, Item } from './items.ts';
import { wordsOfReminder, wordsOfRule } from './rule-words.ts';

const PAGE = 100;
/** Of a calendar with more events the missing ones are read one by one. */
const MAX_PAGES = 5;

export type EventDetails = ReadonlyMap<string, CalendarEvent>;

/** The events of what is shown: an agenda has neither their rules nor their reminders. */
export function useEventDetails(items: readonly Item[] = []): Resource<EventDetails> {
  const ids = [...new Set(items.map(({ data }) => data.event_id))].sort();
  const key = `events ${ids.join()}`;
  const resource = useResource(key, (signal) => readEvents(ids, signal), ['calendar']);
  // What is known stays while more is loaded.
  const before = useRef<EventDetails>(undefined);
  before.current = resource.data ?? before.current;
  return { ...resource, data: before.current };
}

async function readEvents(ids: readonly string[], signal: AbortSignal): Promise<EventDetails> {
  const missing = new Set(ids);
  const found = new Map<string, CalendarEvent>();
  const add = (event: CalendarEvent) => {
    if (missing.delete(event.id)) found.set(event.id, event);
  };
  for (let page = 0; page < MAX_PAGES && missing.size > 0; page++) {
    const query = { limit: PAGE, offset: page * PAGE };
    const { items } = await reply(api.GET('/v1/calendar/events', { params: { query }, signal }));
    items.forEach(add);
    // One that is missing then was deleted meanwhile, and goes from the agenda as well.
    if (items.length < PAGE) return found;
  }
  for (const id of missing) add(await readEvent(id, signal));
  return found;
}

/** `Every week: Monday · Reminder: 10 minutes before` */
export function wordsOfDetails({ rrule, tz, reminders }: CalendarEvent, withRule: boolean): string {
  const { calendar } = t();
  const before = reminders.toSorted((a, b) => a - b).map(wordsOfReminder);
  return [
    withRule && rrule && wordsOfRule(rrule, tz),
    before.length > 0 && calendar.remindedOf(formatList(before)),
  ]
    .filter(Boolean)
    .join(' · ');
}
