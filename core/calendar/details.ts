import type { Duration, EventDetails } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { InvalidInput } from '../shared/errors.ts';

export const DAY_MS = 86_400_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;
/** A moment after any event in a calendar. */
export const END_OF_TIME: Instant = Date.UTC(LAST_YEAR + 1, 0, 1);

/** A time as given by a client: a local time, with a UTC offset or in the event's zone. */
export interface TimeInput {
  readonly local: LocalTime;
  /** Minutes east of UTC; null for none. */
  readonly offsetMinutes: number | null;
}

/** Fields of an event in a request. Absent ones are unchanged, or have their defaults. */
export type EventDraft = Partial<Omit<EventDetails, 'start' | 'later' | 'duration'>> & {
  readonly startsAt?: TimeInput;
  readonly endsAt?: TimeInput;
};

/** When something takes place. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

/** Parses a time: with an offset it is that instant, without one a local time in the zone. */
export function instantOf(zones: TimeZones, tz: string, moment: TimeInput): Instant {
  const { local, offsetMinutes } = moment;
  return offsetMinutes === null ? zones.toInstant(tz, local) : local - offsetMinutes * 60_000;
}

/** The span of an event that begins at this local time (RFC 5545 §3.3.6: days of a duration are calendar days). */
export function spanAt(
  zones: TimeZones,
  { tz, later, duration }: Pick<EventDetails, 'tz' | 'later' | 'duration'>,
  start: LocalTime,
  from = zones.toInstant(tz, start, later),
): Span {
  const { days, ms } = duration;
  const reached = days === 0 ? from : zones.toInstant(tz, start + days * DAY_MS);
  return { from, until: Math.max(from, reached) + ms };
}

export const spanOf = (zones: TimeZones, details: EventDetails): Span =>
  spanAt(zones, details, details.start);

/**
 * Applies a draft to the details. A moved start moves the end as well. A changed zone leaves local times unchanged.
 */
export function applyDraft(zones: TimeZones, base: EventDetails, draft: EventDraft): EventDetails {
  const { startsAt, endsAt, ...said } = draft;
  const tz = said.tz ?? base.tz;
  const allDay = said.allDay ?? base.allDay;
  const start = startsAt
    ? readingOf(zones, tz, startsAt)
    : { local: base.start, later: base.later && tz === base.tz };
  const placed = { tz, start: start.local, later: start.later };
  requireYear('starts_at', start.local);
  const timed = allDay
    ? wholeDays(zones, base, placed, endsAt)
    : { ...placed, duration: exactly(zones, base, placed, endsAt) };
  const details = { ...base, ...said, ...timed, allDay };
  requireSpan(zones, details);
  return details;
}

interface Placed {
  readonly tz: string;
  readonly start: LocalTime;
  readonly later: boolean;
}

/** The local time at a moment, in whole seconds, and whether it is the second of an ambiguous pair. */
function readingOf(
  zones: TimeZones,
  tz: string,
  moment: TimeInput,
): { readonly local: LocalTime; readonly later: boolean } {
  if (moment.offsetMinutes === null) return { local: inSeconds(moment.local), later: false };
  const instant = inSeconds(instantOf(zones, tz, moment));
  const local = inSeconds(zones.toLocal(tz, instant));
  return { local, later: zones.toInstant(tz, local) < instant };
}

const inSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
export const dayOf = (local: LocalTime): LocalTime => Math.floor(local / DAY_MS) * DAY_MS;

function exactly(
  zones: TimeZones,
  base: EventDetails,
  placed: Placed,
  endsAt: TimeInput | undefined,
): Duration {
  if (!endsAt) return base.duration;
  const from = zones.toInstant(placed.tz, placed.start, placed.later);
  const ms = inSeconds(instantOf(zones, placed.tz, endsAt)) - from;
  if (ms < 0) throw endsFirst();
  return { days: 0, ms };
}

/** From midnight to midnight, at least one day; a partial last day counts as a whole day. */
function wholeDays(
  zones: TimeZones,
  base: EventDetails,
  placed: Placed,
  endsAt: TimeInput | undefined,
): Pick<EventDetails, 'start' | 'later' | 'duration'> {
  const start = dayOf(placed.start);
  const began = { start, later: false };
  if (!endsAt && base.allDay) return { ...began, duration: base.duration };
  const end = endsAt
    ? readingOf(zones, placed.tz, endsAt).local
    : zones.toLocal(placed.tz, spanAt(zones, { ...base, ...placed }, placed.start).until);
  if (end < placed.start) throw endsFirst();
  return { ...began, duration: { days: Math.max(1, Math.ceil((end - start) / DAY_MS)), ms: 0 } };
}

/** The calendar days that a span touches. */
export function roundToDays(details: EventDetails): EventDetails {
  const { start, duration } = details;
  const began = dayOf(start);
  const days = Math.ceil((start - began + duration.ms) / DAY_MS) + duration.days;
  return { ...details, start: began, later: false, duration: { days: Math.max(1, days), ms: 0 } };
}

/** A start in a gap is moved forward by the length of the gap. */
export function shiftOutOfDstGap<T extends EventDetails>(zones: TimeZones, details: T): T {
  const { tz, later } = details;
  const start = zones.toLocal(tz, zones.toInstant(tz, details.start, later));
  return start === details.start ? details : { ...details, start };
}

const endsFirst = () => new InvalidInput('body', 'ends_at', 'ends_at lies before starts_at');

/** Rejects times outside the supported years. */
export function requireSpan(zones: TimeZones, details: EventDetails): void {
  requireYear('starts_at', details.start);
  const end = zones.toLocal(details.tz, spanOf(zones, details).until);
  // The midnight at which an all-day event ends is not part of the event.
  requireYear('ends_at', details.allDay ? end - 1 : end);
}

function requireYear(field: string, local: LocalTime): void {
  const year = new Date(local).getUTCFullYear();
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR))
    throw new InvalidInput('body', field, `the year must be ${FIRST_YEAR} to ${LAST_YEAR}`);
}

/** The modified fields only, so that the others continue to follow the series. */
export function changedDetails(details: EventDetails, series: EventDetails): Partial<EventDetails> {
  const before = new Map(Object.entries(series));
  const entries = Object.entries(details).filter(([name, value]) => !same(value, before.get(name)));
  return Object.fromEntries(entries);
}

/** For values that JSON can hold. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields of an event that its occurrences inherit. */
export const detailsOf = (event: EventDetails): EventDetails => ({
  title: event.title,
  description: event.description,
  location: event.location,
  start: event.start,
  later: event.later,
  duration: { days: event.duration.days, ms: event.duration.ms },
  tz: event.tz,
  allDay: event.allDay,
  reminders: [...event.reminders],
  status: event.status,
});
