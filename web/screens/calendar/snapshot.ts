import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';

/** A series with all that was changed in it, as the calendar file has it. */
export type Snapshot = string;

const PAGE = 100;
const NUMBER = 'X-OWNER-WORKSPACE-NUMBER:';
const FOLD = /\r?\n[ \t]/g;

/**
 * A series cannot be restored by its fields alone: changed and excluded occurrences belong to it. An import of its part of
 * the file restores all of it, and updates the series if it is still there.
 */
export async function snapshotOf(number: number): Promise<Snapshot> {
  const file = await reply(api.GET('/v1/calendar/export', { parseAs: 'text' }));
  const events = eventsIn(file);
  const mark = `${NUMBER}${number}`;
  const uid = events
    .map(({ lines }) => lines)
    .find((lines) => lines.includes(mark))
    ?.find(isUid);
  if (uid === undefined) throw new Error('The file of the calendar lacks an event.');
  const parts = events.filter(({ lines }) => lines.includes(uid)).map(({ text }) => text);
  const head = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Owner Workspace//App//EN\r\n';
  return `${head}${parts.join('')}END:VCALENDAR\r\n`;
}

/** The id of the series as it is now: one that was restored after its deletion has another id and number. */
export async function restoredId(snapshot: Snapshot): Promise<string | undefined> {
  const uid = eventsIn(snapshot)[0]?.lines.find(isUid);
  const file = await reply(api.GET('/v1/calendar/export', { parseAs: 'text' }));
  const number = eventsIn(file)
    .find(({ lines }) => uid !== undefined && lines.includes(uid))
    ?.lines.find((line) => line.startsWith(NUMBER))
    ?.slice(NUMBER.length);
  if (number === undefined) return undefined;
  for (let offset = 0; ; offset += PAGE) {
    const query = { limit: PAGE, offset };
    const { items } = await reply(api.GET('/v1/calendar/events', { params: { query } }));
    const found = items.find((event) => String(event.number) === number);
    if (found || items.length < PAGE) return found?.id;
  }
}

const isUid = (line: string): boolean => line.startsWith('UID:');

interface FiledEvent {
  readonly text: string;
  readonly lines: readonly string[];
}

const eventsIn = (file: string): readonly FiledEvent[] =>
  [...file.matchAll(/^BEGIN:VEVENT\r?\n[\s\S]*?^END:VEVENT\r?\n/gm)].map(([text]) => ({
    text,
    lines: text.replace(FOLD, '').split(/\r?\n/),
  }));

export async function restore(snapshot: Snapshot): Promise<void> {
  const { errors } = await importCalendar(snapshot);
  if (errors.length > 0) throw new Error('A series could not be restored.');
}

/** Imports a calendar without a name. */
const importCalendar = (text: string) =>
  reply(
    api.POST('/v1/calendar/import', {
      // The text itself is sent in its place.
      body: '',
      bodySerializer: () => text,
      headers: { 'content-type': 'text/calendar' },
    }),
  );

/** Imports a calendar file. The import can be followed by its key. */
export function importCalendarFile(file: File, key: string) {
  const form = new FormData();
  form.append('file', file);
  return reply(
    api.POST('/v1/calendar/import', {
      body: '',
      bodySerializer: () => form,
      headers: { 'idempotency-key': key },
    }),
  );
}
