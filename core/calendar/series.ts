import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { boundsOf, isOccurrence } from '../recurrence/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import {
  DAY_MS,
  END_OF_TIME,
  dayOf,
  changedDetails,
  roundToDays,
  shiftOutOfDstGap,
  spanAt,
  spanOf,
} from './details.ts';
import { nextReminder } from './next-reminder.ts';
import {
  modifiedOccurrence,
  detailsAt,
  recurrenceOf,
  ruleOf,
  type EventDefinition,
} from './occurrence.ts';

/** Tolerance for shifts by a newer time zone database. */
const SLACK_MS = 2 * DAY_MS;
const MAX_REPEATED_DAYS = 366;

/**
 * The event as stored: a start that does not match its rule is moved to the first match, with its last occurrence,
 * its range and its next unsent reminder. `exceptions` are all of them, in their new state.
 */
export function finalizeEvent(
  zones: TimeZones,
  planned: EventDefinition,
  exceptions: readonly EventException[],
  remindedUntil: Instant,
): CalendarEvent {
  const rule = ruleOf(planned);
  const recurs = rule !== null;
  if (recurs) requireShort(planned);
  const bounds = boundsOf(zones, recurrenceOf(planned));
  if (!bounds) throw new InvalidInput('body', 'rrule', 'the rule never matches');
  const started = { ...planned, start: bounds.first, later: !recurs && planned.later };
  const event = recurs || planned.allDay ? started : shiftOutOfDstGap(zones, started);
  const lastStart = recurs ? bounds.last : event.start;
  const last = lastStart === null ? END_OF_TIME : spanAt(zones, event, lastStart).until;
  const spans = exceptions.flatMap(({ span }) => (span ? [span] : []));
  const reach = {
    from: Math.min(spanOf(zones, event).from, ...spans.map(({ from }) => from)) - SLACK_MS,
    until: Math.max(last, ...spans.map(({ until }) => until)) + SLACK_MS,
  };
  const created = { ...event, last: lastStart, reach, nextReminderAt: null };
  return { ...created, nextReminderAt: nextReminder(zones, created, exceptions, remindedUntil) };
}

function requireShort({ duration: { days, ms } }: EventDetails): void {
  if (days * DAY_MS + ms > MAX_REPEATED_DAYS * DAY_MS)
    throw new InvalidInput(
      'body',
      'ends_at',
      `an event that repeats lasts at most ${MAX_REPEATED_DAYS} days`,
    );
}

/**
 * Carries the exceptions over to the changed event: by the time of day, else by the whole start. An exception whose
 * occurrence no longer exists is dropped. Additional dates move with the time of day.
 */
export function carryExceptions(
  zones: TimeZones,
  before: CalendarEvent,
  after: CalendarEvent,
  exceptions: readonly EventException[],
): readonly EventException[] {
  if (after.rrule === '') return [];
  const [was, is] = [recurrenceOf(before), recurrenceOf(after)];
  const moved = after.start - before.start;
  const timeOfDay = timeOf(after.start) - timeOf(before.start);
  const carried: EventException[] = [];
  for (const { original: old, changes } of exceptions) {
    const further = old + timeOfDay;
    const byRule = [further, old + moved].find((local) => isOccurrence(zones, is, local));
    const original = byRule ?? (isOccurrence(zones, was, old) ? undefined : further);
    if (original === undefined) continue;
    const details = changes && { ...detailsAt(after, original), ...changes };
    carried.push(exceptionFor(zones, after, original, details));
  }
  return normalizeExceptions(zones, after, carried);
}

const timeOf = (local: LocalTime): number => local - dayOf(local);

/** The exception that gives an occurrence these details, or with null excludes it. Contains only the differences. */
export function exceptionFor(
  zones: TimeZones,
  event: CalendarEvent,
  original: LocalTime,
  details: EventDetails | null,
): EventException {
  const series = detailsAt(event, original);
  const changes = details && changedDetails(asTaken(zones, details, series), series);
  const exception = { eventId: event.id, original, changes };
  const span = modifiedOccurrence(zones, event, exception)?.span;
  // An event without duration still occurs.
  const shown = span && { from: span.from, until: Math.max(span.until, span.from + 1) };
  return { ...exception, span: shown ?? null };
}

/**
 * Whole days for an all-day event, and otherwise a start that exists on the clock, unless it is the one by the rule.
 */
function asTaken(zones: TimeZones, details: EventDetails, series: EventDetails): EventDetails {
  if (details.allDay) return roundToDays(details);
  const begins = ({ tz, start, later }: EventDetails) => zones.toInstant(tz, start, later);
  return details.tz === series.tz && begins(details) === begins(series)
    ? { ...details, start: series.start, later: series.later }
    : shiftOutOfDstGap(zones, details);
}

/** One per occurrence, by its start, and none that equals the rule. */
export function normalizeExceptions(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
): readonly EventException[] {
  const recurrence = recurrenceOf(event);
  const byOriginal = new Map<LocalTime, EventException>();
  for (const exception of exceptions) {
    const { original, changes } = exception;
    const takesPlace = changes !== null;
    const saysNoMore = !takesPlace || Object.keys(changes).length === 0;
    if (!saysNoMore || takesPlace !== isOccurrence(zones, recurrence, original))
      byOriginal.set(original, exception);
  }
  return [...byOriginal.values()].sort((a, b) => a.original - b.original);
}
