import type {
  CalendarEvent,
  EventDetails,
  EventException,
  EventRangeCursor,
} from '../../ports/calendar.ts';
import type { ICalendarEvent, ICalendarException } from '../../ports/calendar-format.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { END_OF_TIME, detailsOf } from './details.ts';
import { detailsAt } from './occurrence.ts';

const EVENTS_AT_ONCE = 200;
/** Before any time that a calendar may contain. */
const START_OF_TIME = -END_OF_TIME;

/** The whole calendar in file form, by event number. */
export async function exportEvents(
  { scheduler }: { readonly scheduler: Scheduler },
  { calendar }: Pick<Stores, 'calendar'>,
): Promise<readonly ICalendarEvent[]> {
  const everything = { from: START_OF_TIME, to: 2 * END_OF_TIME };
  const exceptions = new Map<string, EventException[]>();
  for (const exception of await calendar.exceptionsAround(everything, { from: 0, to: 0 })) {
    const known = exceptions.get(exception.eventId);
    if (known) known.push(exception);
    else exceptions.set(exception.eventId, [exception]);
  }
  const filed: ICalendarEvent[] = [];
  let after: EventRangeCursor | null = null;
  for (;;) {
    const page: readonly CalendarEvent[] = await calendar.reaching(
      everything,
      after,
      EVENTS_AT_ONCE,
    );
    for (const event of page) filed.push(filedEvent(event, exceptions.get(event.id) ?? []));
    const last = page.at(-1);
    if (!last || page.length < EVENTS_AT_ONCE) break;
    after = { until: last.reach.until, id: last.id };
    await scheduler.yield();
  }
  return filed.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
}

const filedEvent = (
  event: CalendarEvent,
  exceptions: readonly EventException[],
): ICalendarEvent => ({
  uid: event.uid,
  details: withSortedReminders(detailsOf(event)),
  rrule: event.rrule,
  exceptions: [...exceptions]
    .sort((a, b) => a.original - b.original)
    .map((exception) => filedException(event, exception)),
  number: event.number,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
  line: 0,
});

const filedException = (
  event: CalendarEvent,
  { original, changes }: EventException,
): ICalendarException => ({
  original,
  details: changes && withSortedReminders({ ...detailsAt(event, original), ...changes }),
  line: 0,
});

/** Files have no defined order of reminders. */
export const withSortedReminders = <T extends Pick<EventDetails, 'reminders'>>(details: T): T => ({
  ...details,
  reminders: [...details.reminders].sort((a, b) => a - b),
});
