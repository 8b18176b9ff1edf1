import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
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

/** An event as it is meant, before what follows from it is worked out. */
export type PlannedEvent = Omit<CalendarEvent, 'last' | 'reach' | 'nextReminderAt'>;

/** A rule that is stored may have become longer than one that is sent: where a split gave it an end. */
const LONGEST_STORED = 600;

/** What the event follows; a rule is checked before it is stored. */
export function ruleOf({ rrule }: Pick<CalendarEvent, 'rrule'>): Rule | null {
  if (rrule === '') return null;
  const parsed = parseRule(rrule, LONGEST_STORED);
  if ('reason' in parsed) throw new InvalidInput('body', 'rrule', parsed.reason);
  return parsed.rule;
}

/** The rule as this program writes it, once it was checked. */
export function canonicalRule(rrule: string): string {
  const rule = ruleOf({ rrule });
  return rule ? formatRule(rule) : '';
}

export const recurrenceOf = (
  event: PlannedEvent & { readonly last?: LocalTime | null },
): Recurrence => ({
  rule: ruleOf(event),
  start: event.start,
  tz: event.tz,
  allDay: event.allDay,
  ...(event.last !== undefined && { last: event.last }),
});

/** An occurrence of an event, as it is. */
export interface Occurrence {
  readonly event: CalendarEvent;
  /** Its start by the rule, on the clocks of the event. */
  readonly original: LocalTime;
  readonly originalAt: Instant;
  readonly details: EventDetails;
  readonly span: Span;
  readonly overridden: boolean;
}

/** The occurrence by the rule. Its details are those of the series, the start being its own: none are copied for it. */
export function plainOccurrence(
  zones: TimeZones,
  event: CalendarEvent,
  original: LocalTime,
  originalAt: Instant,
): Occurrence {
  const span = spanAt(zones, event, original, originalAt);
  return { event, original, originalAt, details: event, span, overridden: false };
}

/** What an occurrence by the rule says. */
export const detailsAt = (event: CalendarEvent, original: LocalTime): EventDetails => ({
  ...detailsOf(event),
  start: original,
});

/** The occurrence as it was changed; nothing where it is left out. */
export function changedOccurrence(
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

/** Finds the occurrence that by the rule begins at an instant, unless it is left out. */
export function occurrenceAt(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  at: Instant,
): Occurrence | undefined {
  const begins = (original: LocalTime) => zones.toInstant(event.tz, original) === at;
  const exception = exceptions.find(({ original }) => begins(original));
  if (exception) return changedOccurrence(zones, event, exception);
  const [found] = occurrencesFrom(zones, event, at, at + 1);
  if (!found) return undefined;
  return {
    ...plainOccurrence(zones, event, found.local, at),
    details: detailsAt(event, found.local),
  };
}

/** In order, from the first that begins at the instant or later and before the other, by the rule alone. */
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

/** The occurrence by the rule that comes right before a reading; nothing before the first. */
export function lastBefore(
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
