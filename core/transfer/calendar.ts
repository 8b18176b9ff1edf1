import type { EntryDigest, ReadableArchive } from '../../ports/archives.ts';
import type { FiledEvent } from '../../ports/calendar-format.ts';
import { CALENDAR_NAME, faultsOf, filedCalendar, takeEvents } from '../calendar/index.ts';
import type { ImportDeps, Needed, Part } from './part.ts';
import { calendarShape } from './records.ts';
import { Unreadable } from './shapes.ts';

const PATH = 'calendar.ics';
const MOST_LINE_BYTES = 16 * 2 ** 20;

/** The calendar as one iCalendar file. On import, events keep their numbers if these are free. */
export const calendarPart: Part<Needed> = {
  name: 'calendar',
  async *out({ deps, caller, startedAt }) {
    const events = await deps.uow.read(caller.scope, (stores) => filedCalendar(deps, stores));
    if (events.length === 0) return;
    let digest: EntryDigest | undefined;
    yield {
      entry: {
        path: PATH,
        modifiedAt: startedAt,
        compress: true,
        content: deps.calendars.write({ name: CALENDAR_NAME, events }),
        written: (told) => void (digest = told),
      },
    };
    if (!digest) throw new Error('The calendar was asked past before it was written.');
    yield { line: calendarShape.write({ path: PATH, ...digest }), counts: true };
  },
  reader: () => (sent) => calendarShape.read(sent, ''),
  needs: (record) => [record],
  inspect: async (deps, archive, record) => {
    const events = await eventsIn(deps, archive, record);
    const [fault] = faultsOf(deps.zones, events, deps.clock.now());
    if (fault) throw unreadable(record, fault);
  },
  atOnce: 1,
  take: async (target, records) => {
    for (const record of records) {
      const events = await eventsIn(target.deps, target.archive, record);
      const { created, skipped } = await target.write((stores) =>
        takeEvents(target.deps, stores, events, 'theirs'),
      );
      target.tallies.events.created += created;
      target.tallies.events.unchanged += skipped;
    }
  },
};

async function eventsIn(
  { calendars, clock }: Pick<ImportDeps, 'calendars' | 'clock'>,
  archive: ReadableArchive,
  record: Needed,
): Promise<readonly FiledEvent[]> {
  const lines: string[] = [];
  for await (const line of archive.lines(record.path, { maxBytes: MOST_LINE_BYTES }))
    lines.push(line);
  const text = lines.join('\n');
  const read = await calendars.read(text, { tz: 'UTC', now: clock.now() });
  const [fault] = read.faults;
  if (fault) throw unreadable(record, fault);
  return read.events;
}

const unreadable = (
  { path }: Needed,
  { line, reason }: { readonly line: number; readonly reason: string },
) => new Unreadable(`Line ${line} of ${JSON.stringify(path)}: ${reason}`);
