import type { EventDetails } from '../../ports/calendar.ts';
import type { ICalendarException } from '../../ports/calendar-format.ts';
import { linesOf, type Component } from './components.ts';
import { propertyOf, Unreadable, type Property } from './content-lines.ts';
import type { TimeContext } from './details.ts';
import { durationOf, instantOf, momentOf, onClocksOf, type DateValue } from './date-values.ts';

/** More than any rule may have occurrences. */
export const MAX_EXCEPTIONS = 10_000;

/** The EXDATE and RDATE values, in the local time of the series; a time in both is excluded. */
export function datedExceptions(
  event: Component,
  details: EventDetails,
  clocks: TimeContext,
): readonly ICalendarException[] {
  const additions = datesOf(event, 'RDATE');
  const exclusions = datesOf(event, 'EXDATE');
  if (additions.length + exclusions.length > MAX_EXCEPTIONS) throw tooMany(event);
  const added = additions.map(([text, property]) => addition(text, property, details, clocks));
  const left = exclusions.map(([text, property]) => ({
    original: onClocksOf(details, momentOf(text, property, clocks.zoneOf), clocks.zones),
    details: null,
    line: property.line,
  }));
  return [...added, ...left];
}

export const tooMany = (event: Component): Unreadable =>
  new Unreadable(event.line, `The series has more than ${MAX_EXCEPTIONS} exceptions.`);

function datesOf(event: Component, name: string): readonly (readonly [string, Property])[] {
  const dates: (readonly [string, Property])[] = [];
  for (const line of linesOf(event, name)) {
    const property = propertyOf(line);
    if (property.raw.trim() === '') continue;
    for (const text of property.raw.split(',')) dates.push([text.trim(), property]);
    if (dates.length > MAX_EXCEPTIONS) throw tooMany(event);
  }
  return dates;
}

function addition(
  text: string,
  property: Property,
  details: EventDetails,
  { zones, zoneOf }: TimeContext,
): ICalendarException {
  const [from = '', until] = text.split('/', 2);
  const moment = momentOf(from, property, zoneOf);
  const original = onClocksOf(details, moment, zones);
  const later =
    moment.kind === 'instant' &&
    !details.allDay &&
    zones.toInstant(details.tz, original) !== moment.instant;
  const duration =
    until === undefined || details.allDay
      ? details.duration
      : periodLength(moment, until, property, details.tz, { zones, zoneOf });
  return {
    original,
    details: { ...details, start: original, later, duration },
    line: property.line,
  };
}

function periodLength(
  from: DateValue,
  until: string,
  property: Property,
  tz: string,
  { zones, zoneOf }: Pick<TimeContext, 'zones' | 'zoneOf'>,
): EventDetails['duration'] {
  const length = durationOf(until);
  if (length && (length.sign > 0 || length.days + length.ms === 0))
    return { days: length.days, ms: length.ms };
  const ms = instantOf(momentOf(until, property, zoneOf), tz, zones) - instantOf(from, tz, zones);
  if (ms < 0) throw new Unreadable(property.line, 'A period of RDATE ends before it starts.');
  return { days: 0, ms };
}
