import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { boundsOf, isOccurrence } from '../recurrence/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import { DAY_MS, END_OF_TIME, dayOf, spanAt, spanOf } from './details.ts';
import { nextReminder } from './next-reminder.ts';
import { changedOccurrence, recurrenceOf, ruleOf, type PlannedEvent } from './occurrence.ts';

/** Room for what a newer time zone database may shift. */
const SLACK_MS = 2 * DAY_MS;
const MOST_DAYS_REPEATED = 366;

/**
 * The event as it is stored: a start that does not match its rule moved to the first match, with its last occurrence,
 * its reach and its next reminder after `now`. `exceptions` are all of it, as they will be.
 */
export function settled(
  zones: TimeZones,
  planned: PlannedEvent,
  exceptions: readonly EventException[],
  now: Instant,
): CalendarEvent {
  const rule = ruleOf(planned);
  const recurs = rule !== null;
  if (recurs) requireShort(planned);
  const bounds = boundsOf(zones, recurrenceOf(planned));
  if (!bounds) throw new InvalidInput('body', 'rrule', 'the rule never matches');
  const event = { ...planned, start: bounds.first, later: !recurs && planned.later };
  const last = bounds.last === null ? END_OF_TIME : spanAt(zones, event, bounds.last).until;
  const spans = exceptions.flatMap(({ span }) => (span ? [span] : []));
  const reach = {
    from: Math.min(spanOf(zones, event).from, ...spans.map(({ from }) => from)) - SLACK_MS,
    until: Math.max(last, ...spans.map(({ until }) => until)) + SLACK_MS,
  };
  const made = { ...event, last: bounds.last, reach, nextReminderAt: null };
  return { ...made, nextReminderAt: nextReminder(zones, made, exceptions, now) };
}

function requireShort({ duration: { days, ms } }: EventDetails): void {
  if (days * DAY_MS + ms > MOST_DAYS_REPEATED * DAY_MS)
    throw new InvalidInput(
      'body',
      'ends_at',
      `an event that repeats lasts at most ${MOST_DAYS_REPEATED} days`,
    );
}

/**
 * What was different about single occurrences, carried over to the event as it is now: along with the time of day,
 * else with the whole start, else gone, since the occurrence is.
 */
export function carriedOver(
  zones: TimeZones,
  before: CalendarEvent,
  after: CalendarEvent,
  exceptions: readonly EventException[],
): readonly EventException[] {
  if (after.rrule === '') return [];
  const recurrence = recurrenceOf(after);
  const moved = after.start - before.start;
  const timeOfDay = timeOf(after.start) - timeOf(before.start);
  const carried = new Map<LocalTime, EventException>();
  for (const exception of exceptions) {
    const original = [timeOfDay, moved]
      .map((shift) => exception.original + shift)
      .find((local) => isOccurrence(zones, recurrence, local));
    if (original !== undefined)
      carried.set(original, placed(zones, after, { ...exception, eventId: after.id, original }));
  }
  return [...carried.values()];
}

const timeOf = (local: LocalTime): number => local - dayOf(local);

/** The exception with the span that follows from it. */
export function placed(
  zones: TimeZones,
  event: CalendarEvent,
  exception: Omit<EventException, 'span'>,
): EventException {
  const { eventId, original, changes } = exception;
  const span = changedOccurrence(zones, event, exception)?.span;
  // Something of no length still takes place.
  const shown = span && { from: span.from, until: Math.max(span.until, span.from + 1) };
  return { eventId, original, changes, span: shown ?? null };
}
