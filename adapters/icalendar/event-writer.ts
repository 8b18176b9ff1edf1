import type { EventDetails } from '../../ports/calendar.ts';
import type { ICalendarEvent, ICalendarException } from '../../ports/calendar-format.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { FRACTION } from './vevent.ts';
import { DAY } from './date-values.ts';
import {
  asDay,
  asInstant,
  asReading,
  component,
  duration,
  minutesBefore,
  plain,
  rule,
  text,
  time,
  type Written,
} from './properties.ts';

/** The event and its modified occurrences, one component each. */
export function* writtenEvent(event: ICalendarEvent, zones: TimeZones): Generator<string> {
  const { details } = event;
  const changed: ICalendarException[] = [];
  const dates: string[] = [];
  for (const exception of event.exceptions) {
    const at = clockOf(details, exception.original);
    if (exception.details === null) dates.push(time('EXDATE', at));
    else if (isPlainOccurrence(exception.details, event, exception.original))
      dates.push(time('RDATE', at));
    else changed.push(exception);
  }
  yield written(event, details, zones, [
    ...(event.rrule === '' ? [] : [rule(event.rrule)]),
    ...dates,
    ...(event.number === null ? [] : [plain('X-OWNER-WORKSPACE-NUMBER', String(event.number))]),
  ]);
  for (const { original, details: own } of changed)
    yield written(event, own!, zones, [time('RECURRENCE-ID', clockOf(details, original))]);
}

/** The occurrence is unmodified, whether or not the rule includes it: this is the meaning of RDATE. */
function isPlainOccurrence(
  own: EventDetails,
  { details }: ICalendarEvent,
  start: LocalTime,
): boolean {
  const expected = { ...details, start, later: false };
  return told(own) === told(expected);
}

const told = ({ duration: { days, ms }, ...own }: EventDetails): string =>
  JSON.stringify([
    ...[own.title, own.description, own.location, own.start, own.later, days, ms],
    ...[own.tz, own.allDay, own.reminders, own.status],
  ]);

const clockOf = ({ tz, allDay }: EventDetails, local: LocalTime): Written => {
  if (allDay) return asDay(local);
  return tz === 'UTC' ? asInstant(local) : asReading(local, tz);
};

function written(
  event: ICalendarEvent,
  details: EventDetails,
  zones: TimeZones,
  own: readonly string[],
): string {
  const { uid, createdAt, updatedAt } = event;
  return component('VEVENT', [
    text('UID', uid),
    time('DTSTAMP', asInstant(updatedAt)),
    stamp('CREATED', createdAt),
    stamp('LAST-MODIFIED', updatedAt),
    ...span(details, zones),
    ...own,
    text('SUMMARY', details.title),
    ...(details.description === '' ? [] : [text('DESCRIPTION', details.description)]),
    ...(details.location === '' ? [] : [text('LOCATION', details.location)]),
    text('STATUS', details.status.toUpperCase()),
    ...details.reminders.map((minutes) => alarm(minutes, details.title)),
  ]);
}

function stamp(name: string, instant: Instant): string {
  const ms = ((instant % 1_000) + 1_000) % 1_000;
  return time(name, asInstant(instant), ms === 0 ? {} : { [FRACTION]: String(ms) });
}

function span(details: EventDetails, zones: TimeZones): readonly string[] {
  const { start, later, duration: length, tz, allDay } = details;
  const ownZone = plain('X-OWNER-WORKSPACE-TZ', tz);
  if (allDay) {
    const end =
      length.days > 0
        ? time('DTEND', asDay(start + length.days * DAY))
        : duration('DURATION', length);
    return [time('DTSTART', asDay(start)), end, ownZone];
  }
  const from = zones.toInstant(tz, start, later);
  const begin = later
    ? [time('DTSTART', asInstant(from)), ownZone]
    : [time('DTSTART', clockOf(details, start))];
  if (length.days > 0) return [...begin, duration('DURATION', length)];
  return length.ms === 0
    ? begin
    : [...begin, time('DTEND', endOf(from + length.ms, details, zones))];
}

/** In the local time of the event, unless it would be ambiguous. */
function endOf(until: Instant, details: EventDetails, zones: TimeZones): Written {
  const shown = zones.toLocal(details.tz, until);
  const isClear = !details.later && zones.toInstant(details.tz, shown) === until;
  return isClear ? clockOf(details, shown) : asInstant(until);
}

const alarm = (minutes: number, title: string): string =>
  component('VALARM', [
    text('ACTION', 'DISPLAY'),
    text('DESCRIPTION', title),
    minutesBefore('TRIGGER', minutes),
  ]);
