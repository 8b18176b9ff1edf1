import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import {
  modifiedOccurrence,
  occurrencesFrom,
  unmodifiedOccurrence,
  type Occurrence,
} from './occurrence.ts';

const MINUTE_MS = 60_000;

/** A reminder of one occurrence. */
export interface Reminder {
  readonly at: Instant;
  readonly minutes: number;
  readonly occurrence: Occurrence;
}

/** When the first reminder after a moment is due; null if there is none. */
export function nextReminder(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  after: Instant,
): Instant | null {
  let next = Infinity;
  for (const { at } of firstReminders(zones, event, exceptions, after)) next = Math.min(next, at);
  return next === Infinity ? null : next;
}

/** Until when reminders were sent: all past ones, except those that are due and not sent yet. */
export const remindersSentUntil = (
  { nextReminderAt }: Pick<CalendarEvent, 'nextReminderAt'>,
  now: Instant,
): Instant => (nextReminderAt === null ? now : Math.min(now, nextReminderAt - 1));

/** Those after `after` and up to `until`, in no order. */
export function* remindersBetween(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  after: Instant,
  until: Instant,
): Generator<Reminder> {
  yield* ofChanged(zones, event, exceptions, (at) => at > after && at <= until);
  for (const minutes of speaking(event))
    for (const reminder of byRule(zones, event, exceptions, minutes, after)) {
      if (reminder.at > until) break;
      yield reminder;
    }
}

/** The first of each kind by the rule; of modified occurrences all. */
function* firstReminders(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  after: Instant,
): Generator<Reminder> {
  yield* ofChanged(zones, event, exceptions, (at) => at > after);
  for (const minutes of speaking(event))
    for (const reminder of byRule(zones, event, exceptions, minutes, after)) {
      yield reminder;
      break;
    }
}

/** Cancelled occurrences have no reminders. */
const speaking = ({ status, reminders }: EventDetails): readonly number[] =>
  status === 'cancelled' ? [] : reminders;

function* byRule(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  minutes: number,
  after: Instant,
): Generator<Reminder> {
  const different = new Set(exceptions.map(({ original }) => original));
  const ahead = minutes * MINUTE_MS;
  for (const { local, at } of occurrencesFrom(zones, event, after + ahead + 1))
    if (!different.has(local))
      yield { at: at - ahead, minutes, occurrence: unmodifiedOccurrence(zones, event, local, at) };
}

function* ofChanged(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  isMeant: (at: Instant) => boolean,
): Generator<Reminder> {
  for (const exception of exceptions) {
    const occurrence = modifiedOccurrence(zones, event, exception);
    if (!occurrence) continue;
    for (const minutes of speaking(occurrence.details)) {
      const at = occurrence.span.from - minutes * MINUTE_MS;
      if (isMeant(at)) yield { at, minutes, occurrence };
    }
  }
}
