import type { EventDetails } from '../../ports/calendar.ts';
import type { ICalendarEvent } from '../../ports/calendar-format.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { writtenEvent } from './event-writer.ts';
import { DAY, yearOf } from './date-values.ts';
import { pace, runSliced } from './time-slicing.ts';
import { asReading, component, offset, ownText, plain, rule, text, time } from './properties.ts';
import { observancesOf, type Observance } from './zone-rules.ts';

/** Zone rules are written up to the end of 32-bit seconds, as is common. */
const LAST_YEAR = 2037;

export async function* writeCalendar(
  { zones, scheduler }: { readonly zones: TimeZones; readonly scheduler: Scheduler },
  { name, events }: { readonly name: string; readonly events: readonly ICalendarEvent[] },
): AsyncIterable<string> {
  const breathe = pace(scheduler);
  yield [
    'BEGIN:VCALENDAR\r\n',
    text('VERSION', '2.0'),
    text('PRODID', '-//Owner Workspace//Calendar//EN'),
    text('CALSCALE', 'GREGORIAN'),
    ownText('NAME', name),
    ownText('X-WR-CALNAME', name),
  ].join('');
  const used = new Map<string, Years>();
  for (const event of events) {
    noteZones(used, event);
    await breathe();
  }
  for (const [zone, years] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield writtenZone(zone, await runSliced(observancesOf(zones, zone, years), breathe));
  }
  for (const event of events)
    for (const piece of writtenEvent(event, zones)) {
      yield piece;
      await breathe();
    }
  yield 'END:VCALENDAR\r\n';
}

interface Years {
  readonly first: number;
  readonly last: number;
}

/** The zones in use, each with the years of its local times. */
function noteZones(used: Map<string, Years>, { details, exceptions }: ICalendarEvent): void {
  const note = ({ tz, allDay, start, duration }: EventDetails) => {
    if (allDay || tz === 'UTC') return;
    const { first, last } = used.get(tz) ?? { first: Infinity, last: LAST_YEAR };
    const end = start + (duration.days + 1) * DAY + duration.ms;
    used.set(tz, { first: Math.min(first, yearOf(start)), last: Math.max(last, yearOf(end) + 1) });
  };
  note(details);
  for (const { original, details: own } of exceptions) {
    note({ ...details, start: original });
    if (own) note(own);
  }
}

const writtenZone = (zone: string, observances: readonly Observance[]): string =>
  component('VTIMEZONE', [
    text('TZID', zone),
    plain('X-LIC-LOCATION', zone),
    ...observances.map(({ before, after, onsets, rule: yearly }) =>
      component(after > before ? 'DAYLIGHT' : 'STANDARD', [
        time('DTSTART', asReading(onsets[0]!, null)),
        offset('TZOFFSETFROM', before),
        offset('TZOFFSETTO', after),
        ...(yearly === '' ? [] : [rule(yearly)]),
        // The first one is included: some readers ignore DTSTART if there are dates.
        ...(onsets.length > 1 ? onsets : []).map((onset) => time('RDATE', asReading(onset, null))),
      ]),
    ),
  ]);
