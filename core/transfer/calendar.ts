import type { EntryDigest, ReadableArchive } from '../../ports/archives.ts';
import type { ICalendarEvent } from '../../ports/calendar-format.ts';
import { CALENDAR_NAME, validateEvents, exportEvents, importEvents } from '../calendar/index.ts';
import type { ImportDeps, ReferencedFile, Part } from './part.ts';
import { calendarShape } from './records.ts';
import { ArchiveFormatError } from './shapes.ts';

const PATH = 'calendar.ics';
const MAX_LINE_BYTES = 16 * 2 ** 20;

/** The calendar as one iCalendar file. On import, events keep their numbers if these are free. */
export const calendarPart: Part<ReferencedFile> = {
  name: 'calendar',
  isOfAccount: true,
  async *out({ deps, caller, startedAt }) {
    const events = await deps.uow.read(caller.scope, (stores) => exportEvents(deps, stores));
    if (events.length === 0) return;
    let digest: EntryDigest | undefined;
    yield {
      entry: {
        path: PATH,
        modifiedAt: startedAt,
        compress: true,
        content: deps.calendars.write({ name: CALENDAR_NAME, events }),
        written: (written) => void (digest = written),
      },
    };
    if (!digest) throw new Error('The calendar was asked past before it was written.');
    yield { line: calendarShape.write({ path: PATH, ...digest }), counts: true };
  },
  reader: () => (sent) => calendarShape.read(sent, ''),
  needs: (record) => [record],
  inspect: async (deps, archive, record) => {
    const events = await eventsIn(deps, archive, record);
    const [fault] = validateEvents(deps.zones, events, deps.clock.now());
    if (fault) throw unreadable(record, fault);
  },
  atOnce: 1,
  importRecords: async (target, records) => {
    for (const record of records) {
      const events = await eventsIn(target.deps, target.archive, record);
      const { created, skipped } = await target.write((stores) =>
        importEvents(target.deps, stores, events, 'theirs'),
      );
      target.tallies.events.created += created;
      target.tallies.events.unchanged += skipped;
    }
  },
};

async function eventsIn(
  { calendars, clock }: Pick<ImportDeps, 'calendars' | 'clock'>,
  archive: ReadableArchive,
  record: ReferencedFile,
): Promise<readonly ICalendarEvent[]> {
  const lines: string[] = [];
  for await (const line of archive.lines(record.path, { maxBytes: MAX_LINE_BYTES }))
    lines.push(line);
  const text = lines.join('\n');
  const read = await calendars.read(text, { tz: 'UTC', now: clock.now() });
  const [fault] = read.errors;
  if (fault) throw unreadable(record, fault);
  return read.events;
}

const unreadable = (
  { path }: ReferencedFile,
  { line, reason }: { readonly line: number; readonly reason: string },
) => new ArchiveFormatError(`Line ${line} of ${JSON.stringify(path)}: ${reason}`);
