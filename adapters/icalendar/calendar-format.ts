import type { CalendarFormat } from '../../ports/calendar-format.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { ZoneNames } from './tzid-mapping.ts';

/** iCalendar files, read and written property by property with ical.js, which is loaded on first use. */
export function icalendarFormat(zones: TimeZones, scheduler: Scheduler): CalendarFormat {
  let names: ZoneNames | undefined;
  return {
    read: async (text, floating) => {
      const [{ readCalendar }, { zoneNames }] = await Promise.all([
        import('./reader.ts'),
        import('./tzid-mapping.ts'),
      ]);
      names ??= zoneNames(zones);
      return readCalendar({ zones, names, scheduler }, text, floating);
    },
    async *write(calendar) {
      const { writeCalendar } = await import('./writer.ts');
      yield* inChunks(writeCalendar({ zones, scheduler }, calendar));
    },
  };
}

const CHUNK = 32_768;

/** Text as bytes, combined into chunks of a useful size. */
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
