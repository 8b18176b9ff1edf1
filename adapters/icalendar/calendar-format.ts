import type { CalendarFormat } from '../../ports/calendar-format.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { readCalendar } from './reader.ts';
import { writeCalendar } from './writer.ts';
import { zoneNames } from './zone-names.ts';

/** iCalendar files, read and written property by property by ical.js. */
export function icalendarFormat(zones: TimeZones): CalendarFormat {
  const deps = { zones, names: zoneNames(zones) };
  return {
    read: (text, floating) => readCalendar(deps, text, floating),
    write: (calendar) => writeCalendar(zones, calendar),
  };
}
