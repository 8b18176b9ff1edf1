import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import {
  formatRule,
  occurrences,
  parseRule,
  type Recurrence,
  type Rule,
} from '../recurrence/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import { DAY_MS, detailsOf, spanAt, spanOf, type Span } from './details.ts';

/** The definition of an event, without derived values. */
export type EventDefinition = Omit<CalendarEvent, 'last' | 'reach' | 'nextReminderAt'>;

/** A stored rule may be longer than one sent by a client, since a split adds its end. */
const MAX_STORED_LENGTH = 600;

/** The rule an event follows; validated before it is stored. */
export function ruleOf({ rrule }: Pick<CalendarEvent, 'rrule'>): Rule | null {
  if (rrule === '') return null;
  const parsed = parseRule(rrule, MAX_STORED_LENGTH);
  if ('reason' in parsed) throw new InvalidInput('body', 'rrule', parsed.reason);
  return parsed.rule;
}

/** The validated rule in canonical form. */
export function canonicalRule(rrule: string): string {
  const rule = ruleOf({ rrule });
  return rule ? formatRule(rule) : '';
}

export const recurrenceOf = (
  event: EventDefinition & { readonly last?: LocalTime | null },
): Recurrence => ({
  rule: ruleOf(event),
  start: event.start,
  tz: event.tz,
  allDay: event.allDay,
  ...(event.last !== undefined && { last: event.last }),
});

/** An occurrence of an event, with its exceptions applied. */
export interface Occurrence {
  readonly event: CalendarEvent;
  /** Its start by the rule, in the local time of the event. */
  readonly original: LocalTime;
  readonly originalAt: Instant;
  readonly details: EventDetails;
  readonly span: Span;
  readonly overridden: boolean;
}

/** The occurrence by the rule. It inherits the details of the series with its own start; none are copied. */
export function unmodifiedOccurrence(
  zones: TimeZones,
  event: CalendarEvent,
  original: LocalTime,
  originalAt: Instant,
): Occurrence {
  const span = spanAt(zones, event, original, originalAt);
  return { event, original, originalAt, details: event, span, overridden: false };
}

/** The details of an occurrence by the rule. */
export const detailsAt = (event: CalendarEvent, original: LocalTime): EventDetails => ({
  ...detailsOf(event),
  start: original,
});

/** The modified occurrence; undefined if it is excluded. */
export function modifiedOccurrence(
  zones: TimeZones,
  event: CalendarEvent,
  { original, changes }: Pick<EventException, 'original' | 'changes'>,
): Occurrence | undefined {
  if (!changes) return undefined;
  const details = { ...detailsAt(event, original), ...changes };
  return {
    event,
    original,
    originalAt: zones.toInstant(event.tz, original),
    details,
    span: spanOf(zones, details),
    overridden: true,
  };
}

/** Finds the occurrence whose start by the rule is the instant, unless it is excluded. */
export function occurrenceAt(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  at: Instant,
): Occurrence | undefined {
  const begins = (original: LocalTime) => zones.toInstant(event.tz, original) === at;
  const exception = exceptions.find(({ original }) => begins(original));
  if (exception) return modifiedOccurrence(zones, event, exception);
  const [found] = occurrencesFrom(zones, event, at, at + 1);
  if (!found) return undefined;
  return {
    ...unmodifiedOccurrence(zones, event, found.local, at),
    details: detailsAt(event, found.local),
  };
}

/** In order, from the first that begins at or after the instant and before the other, by the rule only. */
export function* occurrencesFrom(
  zones: TimeZones,
  event: CalendarEvent,
  from: Instant,
  before: Instant = Infinity,
): Generator<{ readonly local: LocalTime; readonly at: Instant }> {
  if (event.rrule !== '') return yield* occurrences(zones, recurrenceOf(event), from, before);
  const at = zones.toInstant(event.tz, event.start, event.later);
  if (at >= from && at < before) yield { local: event.start, at };
}

/** The last occurrence by the rule before a local time; undefined before the first. */
export function previousOccurrence(
  zones: TimeZones,
  event: CalendarEvent,
  original: LocalTime,
): LocalTime | undefined {
  if (original <= event.start) return undefined;
  for (let back = DAY_MS; ; back *= 8) {
    const from = Math.max(event.start, original - back);
    let last: LocalTime | undefined;
    for (const { local } of occurrencesFrom(zones, event, zones.toInstant(event.tz, from))) {
      if (local >= original) break;
      last = local;
    }
    if (last !== undefined || from === event.start) return last;
  }
}
