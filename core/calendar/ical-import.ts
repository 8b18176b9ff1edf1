import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { ICalendarError, ICalendarEvent } from '../../ports/calendar-format.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { InvalidInput } from '../shared/errors.ts';
import { MAX_EXCEPTIONS } from './change-occurrence.ts';
import { detailsOf, requireSpan } from './details.ts';
import { withSortedReminders } from './ical-export.ts';
import { canonicalRule } from './occurrence.ts';
import { exceptionFor, finalizeEvent, normalizeExceptions } from './series.ts';

/** Validates imported events, without reading the calendar. */
export const validateEvents = (
  zones: TimeZones,
  events: readonly ICalendarEvent[],
  now: Instant,
): readonly ICalendarError[] =>
  events.flatMap((filed) => {
    try {
      toStoredEvent(zones, filed, filed.uid, { now, remindedUntil: now });
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return [toICalendarError(filed, error)];
    }
  });

export const toICalendarError = (
  { line, uid }: ICalendarEvent,
  { message }: InvalidInput,
): ICalendarError => ({
  line,
  uid,
  reason: sentence(message),
});

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');

/** The event in the file, in stored form. */
export function toStoredEvent(
  zones: TimeZones,
  filed: ICalendarEvent,
  id: string,
  times: { readonly now: Instant; readonly remindedUntil: Instant },
): { readonly event: CalendarEvent; readonly exceptions: readonly EventException[] } {
  if (filed.exceptions.length > MAX_EXCEPTIONS)
    throw new InvalidInput('body', 'rrule', `a series has at most ${MAX_EXCEPTIONS} exceptions`);
  requireSpan(zones, filed.details);
  const { createdAt, updatedAt } = filed;
  const planned = {
    ...filed.details,
    id,
    uid: filed.uid,
    number: 0,
    rrule: canonicalRule(filed.rrule),
    createdAt: Math.min(createdAt, times.now),
    updatedAt: Math.min(updatedAt, times.now),
  };
  const event = finalizeEvent(zones, planned, [], times.remindedUntil);
  const exceptions = understoodExceptions(zones, event, filed);
  return { event: finalizeEvent(zones, planned, exceptions, times.remindedUntil), exceptions };
}

function understoodExceptions(
  zones: TimeZones,
  event: CalendarEvent,
  filed: ICalendarEvent,
): readonly EventException[] {
  const exceptions: EventException[] = [];
  for (const { original, details } of filed.exceptions) {
    if (details) requireSpan(zones, details);
    exceptions.push(exceptionFor(zones, event, original, details));
  }
  return normalizeExceptions(zones, event, exceptions);
}

/** What an owner would notice; not the time of modification. */
export function isUnchanged(
  known: CalendarEvent,
  knownExceptions: readonly EventException[],
  event: CalendarEvent,
  exceptions: readonly EventException[],
): boolean {
  const said = (it: CalendarEvent, of: readonly EventException[]) =>
    JSON.stringify([it.rrule, withSortedReminders(detailsOf(it)), of.map(inOrder)]);
  return said(known, knownExceptions) === said(event, exceptions);
}

/** The changes in a canonical order of their names. */
const inOrder = ({ original, changes }: EventException) => [
  original,
  changes &&
    Object.entries(sorted(changes))
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
];

const sorted = ({ reminders, ...rest }: Partial<EventDetails>): Partial<EventDetails> =>
  reminders ? withSortedReminders({ ...rest, reminders }) : rest;
