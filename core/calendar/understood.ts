import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { FileFault, FiledEvent } from '../../ports/calendar-format.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { InvalidInput } from '../shared/errors.ts';
import { MOST_EXCEPTIONS } from './change-occurrence.ts';
import { detailsOf, requireSpan } from './details.ts';
import { ascending } from './filed.ts';
import { canonicalRule } from './occurrence.ts';
import { exceptionFor, settled, told } from './series.ts';

/** Validates imported events, without reading the calendar. */
export const faultsOf = (
  zones: TimeZones,
  events: readonly FiledEvent[],
  now: Instant,
): readonly FileFault[] =>
  events.flatMap((filed) => {
    try {
      understood(zones, filed, filed.uid, { now, remindedUntil: now });
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return [faultOf(filed, error)];
    }
  });

export const faultOf = ({ line, uid }: FiledEvent, { message }: InvalidInput): FileFault => ({
  line,
  uid,
  reason: sentence(message),
});

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');

/** The event in the file, in stored form. */
export function understood(
  zones: TimeZones,
  filed: FiledEvent,
  id: string,
  times: { readonly now: Instant; readonly remindedUntil: Instant },
): { readonly event: CalendarEvent; readonly exceptions: readonly EventException[] } {
  if (filed.exceptions.length > MOST_EXCEPTIONS)
    throw new InvalidInput('body', 'rrule', `a series has at most ${MOST_EXCEPTIONS} exceptions`);
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
  const event = settled(zones, planned, [], times.remindedUntil);
  const exceptions = understoodExceptions(zones, event, filed);
  return { event: settled(zones, planned, exceptions, times.remindedUntil), exceptions };
}

function understoodExceptions(
  zones: TimeZones,
  event: CalendarEvent,
  filed: FiledEvent,
): readonly EventException[] {
  const exceptions: EventException[] = [];
  for (const { original, details } of filed.exceptions) {
    if (details) requireSpan(zones, details);
    exceptions.push(exceptionFor(zones, event, original, details));
  }
  return told(zones, event, exceptions);
}

/** What an owner would notice; not the time of modification. */
export function saysTheSame(
  known: CalendarEvent,
  knownExceptions: readonly EventException[],
  event: CalendarEvent,
  exceptions: readonly EventException[],
): boolean {
  const said = (it: CalendarEvent, of: readonly EventException[]) =>
    JSON.stringify([it.rrule, ascending(detailsOf(it)), of.map(inOrder)]);
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
  reminders ? ascending({ ...rest, reminders }) : rest;
