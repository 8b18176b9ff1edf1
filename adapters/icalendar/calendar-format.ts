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
    write: (calendar) => inChunks(writeCalendar(zones, calendar)),
  };
}

const CHUNK = 32_768;

/** Pieces of text as bytes, gathered so that none is too small to be worth sending. */
async function* inChunks(pieces: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
