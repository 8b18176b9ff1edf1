import type { EventDetails } from '../../ports/calendar.ts';
import type { FiledException } from '../../ports/calendar-format.ts';
import { linesOf, type Component } from './components.ts';
import { propertyOf, Unreadable, type Property } from './content-lines.ts';
import type { Clocks } from './details.ts';
import { durationOf, instantOf, momentOf, onClocksOf, type Moment } from './moments.ts';

/** More than any rule may have occurrences. */
export const MOST_EXCEPTIONS = 10_000;

/** What EXDATE leaves out and RDATE adds, on the clocks of the series; of a time in both the EXDATE counts. */
export function datedExceptions(
  event: Component,
  details: EventDetails,
  clocks: Clocks,
): readonly FiledException[] {
  const added = datesOf(event, 'RDATE').map(([text, property]) =>
    addition(text, property, details, clocks),
  );
  const left = datesOf(event, 'EXDATE').map(([text, property]) => ({
    original: onClocksOf(details, momentOf(text, property, clocks.zoneOf), clocks.zones),
    details: null,
    line: property.line,
  }));
  const all = [...added, ...left];
  if (all.length > MOST_EXCEPTIONS)
    throw new Unreadable(event.line, `The series has more than ${MOST_EXCEPTIONS} exceptions.`);
  return all;
}

function datesOf(event: Component, name: string): readonly (readonly [string, Property])[] {
  return linesOf(event, name).flatMap((line) => {
    const property = propertyOf(line);
    if (property.raw.trim() === '') return [];
    return property.raw.split(',').map((text) => [text.trim(), property] as const);
  });
}

function addition(
  text: string,
  property: Property,
  details: EventDetails,
  { zones, zoneOf }: Clocks,
): FiledException {
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
  from: Moment,
  until: string,
  property: Property,
  tz: string,
  { zones, zoneOf }: Pick<Clocks, 'zones' | 'zoneOf'>,
): EventDetails['duration'] {
  const length = durationOf(until);
  if (length && (length.sign > 0 || length.days + length.ms === 0))
    return { days: length.days, ms: length.ms };
  const ms = instantOf(momentOf(until, property, zoneOf), tz, zones) - instantOf(from, tz, zones);
  if (ms < 0) throw new Unreadable(property.line, 'A period of RDATE ends before it starts.');
  return { days: 0, ms };
}
