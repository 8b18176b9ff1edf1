import type { Duration, EventDetails, EventStatus } from '../../ports/calendar.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { linesOf, lineOf, type Component } from './components.ts';
import { param, propertyOf, textOf, Unreadable } from './content-lines.ts';
import {
  DAY,
  durationOf,
  instantOf,
  midnightOf,
  momentOf,
  type DateValue,
  type ZoneOf,
} from './date-values.ts';

/** The context in which the times of a calendar are interpreted. */
export interface TimeContext {
  readonly zones: TimeZones;
  readonly zoneOf: ZoneOf;
  /** The zone of floating times, IANA name. */
  readonly floating: string;
}

const TITLE = 500;
const DESCRIPTION = 20_000;
const LOCATION = 1_000;

/** The details of an event. Throws Unreadable. */
export function detailsOf(event: Component, clocks: TimeContext): EventDetails {
  const text = (name: string, longest: number): string => {
    const line = lineOf(event, name);
    return line ? textOf(propertyOf(line), longest) : '';
  };
  const start = startOf(event, clocks);
  const { moment, ...shown } = start;
  return {
    title: text('SUMMARY', TITLE) || 'Untitled',
    description: text('DESCRIPTION', DESCRIPTION),
    location: text('LOCATION', LOCATION),
    ...shown,
    duration: lengthOf(event, start, clocks),
    reminders: remindersOf(event),
    status: STATUSES.get(text('STATUS', 20).trim().toUpperCase()) ?? 'confirmed',
  };
}

const STATUSES: ReadonlyMap<string, EventStatus> = new Map([
  ['TENTATIVE', 'tentative'],
  ['CANCELLED', 'cancelled'],
]);

type Start = Pick<EventDetails, 'start' | 'later' | 'tz' | 'allDay'> & {
  readonly moment: DateValue;
};

function startOf(event: Component, clocks: TimeContext): Start {
  const { zones, floating } = clocks;
  const moment = timeOf(event, 'DTSTART', clocks);
  if (!moment) throw new Unreadable(event.line, 'The event has no DTSTART.');
  const own = ownZone(event, zones);
  if (moment.kind === 'day')
    return {
      moment,
      start: moment.local,
      later: false,
      tz: own ?? (moment.zone || floating),
      allDay: true,
    };
  const isSeries = lineOf(event, 'RRULE') !== undefined;
  if (moment.kind === 'instant') {
    const tz = (isSeries ? undefined : own) ?? 'UTC';
    const start = zones.toLocal(tz, moment.instant);
    const later = zones.toInstant(tz, start) !== moment.instant;
    return { moment, start, later, tz, allDay: false };
  }
  const tz = moment.zone || floating;
  // A local time in a gap is moved here, unless it belongs to a rule.
  const start = isSeries ? moment.local : zones.toLocal(tz, zones.toInstant(tz, moment.local));
  return { moment, start, later: false, tz, allDay: isMarkedAllDay(event, start) };
}

/** If the file was exported by this service: the zone of times written in UTC or as dates. */
function ownZone(event: Component, zones: TimeZones): string | undefined {
  const line = lineOf(event, 'X-OWNER-WORKSPACE-TZ');
  const zone = line && propertyOf(line).raw.trim();
  return zone !== undefined && zones.isKnown(zone) ? zone : undefined;
}

/** Exchange writes dates as times from midnight to midnight, with a marker. */
function isMarkedAllDay(event: Component, start: LocalTime): boolean {
  const mark = lineOf(event, 'X-MICROSOFT-CDO-ALLDAYEVENT');
  return (
    mark !== undefined &&
    propertyOf(mark).raw.trim().toUpperCase() === 'TRUE' &&
    start === midnightOf(start)
  );
}

export function timeOf(event: Component, name: string, clocks: TimeContext): DateValue | undefined {
  const line = lineOf(event, name);
  if (!line) return undefined;
  const property = propertyOf(line);
  return momentOf(property.raw, property, clocks.zoneOf);
}

function lengthOf(event: Component, start: Start, clocks: TimeContext): Duration {
  const end = timeOf(event, 'DTEND', clocks);
  if (end) return lengthUntil(end, start, event, clocks.zones);
  const line = lineOf(event, 'DURATION');
  if (!line) return { days: start.allDay ? 1 : 0, ms: 0 };
  const length = durationOf(propertyOf(line).raw);
  if (!length) throw new Unreadable(line.number, 'The DURATION is invalid.');
  const { sign, days, ms } = length;
  if (sign < 0 && days + ms > 0) throw new Unreadable(line.number, BACKWARDS);
  return start.allDay ? { days: days + Math.ceil(ms / DAY), ms: 0 } : { days, ms };
}

const BACKWARDS = 'The event ends before it starts.';

function lengthUntil(end: DateValue, start: Start, event: Component, zones: TimeZones): Duration {
  const line = lineOf(event, 'DTEND')!.number;
  const isDay = start.moment.kind === 'day';
  if (isDay !== (end.kind === 'day'))
    throw new Unreadable(line, 'DTSTART and DTEND have to be both dates or both times.');
  const days = (last: LocalTime): Duration => {
    const whole = Math.ceil((last - start.start) / DAY);
    if (whole < 0) throw new Unreadable(line, BACKWARDS);
    // DTEND equal to DTSTART as a date means that one day.
    return { days: Math.max(whole, 1), ms: 0 };
  };
  if (end.kind === 'day') return days(end.local);
  const until = instantOf(end, start.tz, zones);
  if (start.allDay) return days(zones.toLocal(start.tz, until));
  const ms = until - zones.toInstant(start.tz, start.start, start.later);
  if (ms < 0) throw new Unreadable(line, BACKWARDS);
  return { days: 0, ms };
}

const MAX_REMINDERS = 10;
const EARLIEST = 40_320;

/** Minutes before the start; other kinds of alarms are ignored. */
function remindersOf(event: Component): readonly number[] {
  const minutes = event.parts
    .filter(({ name }) => name === 'VALARM')
    .flatMap((alarm) => minutesOf(alarm) ?? []);
  return [...new Set(minutes)].sort((a, b) => a - b).slice(0, MAX_REMINDERS);
}

function minutesOf(alarm: Component): number | undefined {
  const [trigger] = linesOf(alarm, 'TRIGGER');
  const action = lineOf(alarm, 'ACTION')?.text.slice('ACTION:'.length).trim().toUpperCase();
  if (!trigger || action === 'NONE') return undefined;
  const property = propertyOf(trigger);
  const before = durationOf(property.raw);
  if (!before || param(property, 'related').toUpperCase() === 'END') return undefined;
  const ms = before.days * DAY + before.ms;
  if (before.sign > 0 && ms > 0) return undefined;
  // Seconds are rounded up to a minute: too early is better than too late.
  const minutes = Math.ceil(ms / 60_000);
  return minutes <= EARLIEST ? minutes : undefined;
}
