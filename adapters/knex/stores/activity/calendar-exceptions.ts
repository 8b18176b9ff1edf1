import type { CalendarStore, EventException } from '../../../../ports/calendar.ts';
import type { Instant } from '../../../../ports/runtime.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const EXCEPTION = recordMap<Omit<EventException, 'span'> & SpanRecord>({
  eventId: plain('event_id'),
  original: plain('original'),
  changes: json('changes'),
  from: plain('span_from'),
  until: plain('span_until'),
});
const SELECT_EXCEPTION = `select ${EXCEPTION.columns.join(', ')} from calendar_exceptions`;
const SAVE_EXCEPTION = saveText('calendar_exceptions', EXCEPTION, ['event_id', 'original']);

interface SpanRecord {
  readonly from: Instant | null;
  readonly until: Instant | null;
}

type Row = Record<string, Value>;

function exceptionFrom(row: Row): EventException {
  const { from, until, ...rest } = EXCEPTION.from(row);
  return { ...rest, span: from === null || until === null ? null : { from, until } };
}

type Exceptions = Pick<
  CalendarStore,
  'exceptions' | 'exceptionsAround' | 'saveException' | 'removeException' | 'removeExceptions'
>;

/** @param change runs a statement, whose first value is the owner's id, and counts a version of the calendar */
export function createExceptions(
  sql: Sql,
  ownerId: string,
  change: (text: string, values: readonly Value[]) => Promise<void>,
): Exceptions {
  return {
    exceptions: async (eventId) => {
      const rows = await sql.all<Row>(
        `${SELECT_EXCEPTION} where owner_id = ? and event_id = ? order by original`,
        [ownerId, eventId],
      );
      return rows.map(exceptionFrom);
    },
    exceptionsAround: async (originals, { from, to }) => {
      const rows = await sql.all<Row>(
        `${SELECT_EXCEPTION} where owner_id = ? and original >= ? and original < ?
         union
         ${SELECT_EXCEPTION} where owner_id = ? and span_until > ? and span_from < ?`,
        [ownerId, originals.from, originals.to, ownerId, from, to],
      );
      return rows.map(exceptionFrom);
    },
    saveException: async ({ span, ...rest }) =>
      change(
        SAVE_EXCEPTION,
        EXCEPTION.values({ ...rest, from: span?.from ?? null, until: span?.until ?? null }),
      ),
    removeException: (eventId, original) =>
      change(
        'delete from calendar_exceptions where owner_id = ? and event_id = ? and original = ?',
        [eventId, original],
      ),
    removeExceptions: (eventId) =>
      change('delete from calendar_exceptions where owner_id = ? and event_id = ?', [eventId]),
  };
}
