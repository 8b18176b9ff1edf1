import { searchableText, type CalendarStore } from '../../ports/calendar.ts';
import { foldName } from '../../ports/library.ts';
import type { CalendarState, Tables } from './database.ts';
import { byCodePoint, cut } from './order.ts';

const NONE: CalendarState = { lastNumber: 0, version: 0, feed: null };

export function memoryCalendar({
  calendarEvents: events,
  calendarExceptions: exceptions,
  calendar,
}: Tables): CalendarStore {
  let raised = false;
  const state = () => calendar.get('calendar') ?? NONE;
  const put = (change: Partial<CalendarState>) =>
    calendar.set('calendar', Object.freeze({ ...state(), ...change }));
  /** Once per unit of work, since intermediate states are not visible. */
  const raise = () => {
    if (!raised) put({ version: state().version + 1 });
    raised = true;
  };
  const key = (eventId: string, original: number) => `${eventId} ${original}`;
  const removeExceptions = (eventId: string) => {
    for (const it of exceptions.values())
      if (it.eventId === eventId) {
        exceptions.delete(key(eventId, it.original));
        raise();
      }
  };
  return {
    find: async (id) => events.get(id),
    findMany: async (ids) => [...new Set(ids)].flatMap((id) => events.get(id) ?? []),
    findByUids: async (uids) => {
      const sought = new Set(uids);
      return events.values().filter(({ uid }) => sought.has(uid));
    },
    save: async (event) => {
      events.set(event.id, Object.freeze({ ...event }));
      raise();
    },
    remindAt: async (id, at) => {
      const event = events.get(id);
      if (event) events.set(id, Object.freeze({ ...event, nextReminderAt: at }));
    },
    remove: async (id) => {
      removeExceptions(id);
      if (!events.get(id)) return;
      events.delete(id);
      raise();
    },
    nextNumber: async () => {
      raise();
      put({ lastNumber: state().lastNumber + 1 });
      return state().lastNumber;
    },
    skipTo: async (number) => {
      raise();
      put({ lastNumber: Math.max(number, state().lastNumber) });
    },
    page: async ({ search, ...request }) => {
      const sought = foldName(search);
      const found = events
        .values()
        .filter((event) => foldName(searchableText(event)).includes(sought))
        .sort((a, b) => b.number - a.number);
      return cut(found, request);
    },
    reaching: async ({ from, to }, after, limit) =>
      events
        .values()
        .filter(({ id, reach }) => {
          if (reach.from >= to || reach.until <= from) return false;
          if (!after) return true;
          return (reach.until - after.until || byCodePoint(id, after.id)) > 0;
        })
        .sort((a, b) => a.reach.until - b.reach.until || byCodePoint(a.id, b.id))
        .slice(0, limit),
    exceptions: async (eventId) =>
      exceptions
        .values()
        .filter((it) => it.eventId === eventId)
        .sort((a, b) => a.original - b.original),
    exceptionsAround: async (originals, { from, to }) =>
      exceptions
        .values()
        .filter(
          ({ original, span }) =>
            (original >= originals.from && original < originals.to) ||
            (span !== null && span.until > from && span.from < to),
        ),
    saveException: async (exception) => {
      exceptions.set(key(exception.eventId, exception.original), Object.freeze({ ...exception }));
      raise();
    },
    removeException: async (eventId, original) => {
      if (!exceptions.get(key(eventId, original))) return;
      exceptions.delete(key(eventId, original));
      raise();
    },
    removeExceptions: async (eventId) => removeExceptions(eventId),
    version: async () => state().version,
    feed: async () => state().feed ?? undefined,
    putFeed: async (digest) => {
      raise();
      put({ feed: digest });
    },
  };
}
