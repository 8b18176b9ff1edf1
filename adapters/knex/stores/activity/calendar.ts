import {
  searchableText,
  type CalendarEvent,
  type CalendarStore,
} from '../../../../ports/calendar.ts';
import { foldName } from '../../../../ports/library.ts';
import type { Instant } from '../../../../ports/runtime.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap } from '../../record-mapper.ts';
import { selectByIds, upsertText, type Sql, type Value } from '../../sql.ts';
import { createExceptions } from './calendar-exceptions.ts';

/** An event with its nested parts laid out. */
type EventRecord = Omit<CalendarEvent, 'duration' | 'reach'> & {
  readonly days: number;
  readonly ms: number;
  readonly from: Instant;
  readonly until: Instant;
};

const EVENT = recordMap<EventRecord>({
  id: plain('id'),
  number: plain('number'),
  uid: plain('uid'),
  title: plain('title'),
  description: plain('description'),
  location: plain('location'),
  start: plain('starts'),
  later: flag('later'),
  days: plain('duration_days'),
  ms: plain('duration_ms'),
  tz: plain('tz'),
  allDay: flag('all_day'),
  reminders: json('reminders'),
  status: plain('status'),
  rrule: plain('rrule'),
  last: plain('last_start'),
  from: plain('reach_from'),
  until: plain('reach_until'),
  nextReminderAt: plain('next_reminder_at'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const SELECT_EVENT = `select ${EVENT.columns.join(', ')} from calendar_events`;
const SAVE_EVENT = upsertText(
  'calendar_events',
  ['owner_id', 'search_fold', ...EVENT.columns],
  ['owner_id', 'id'],
);

type Row = Record<string, Value>;

function eventFrom(row: Row): CalendarEvent {
  const { days, ms, from, until, ...rest } = EVENT.from(row);
  return { ...rest, duration: { days, ms }, reach: { from, until } };
}

const folded = (event: CalendarEvent): string => foldName(searchableText(event));

export function knexCalendar(sql: Sql, { ownerId }: OwnerScope): CalendarStore {
  let raised = false;
  /** Executed once per unit of work: intermediate states are not visible outside it. */
  const raise = async () => {
    if (raised) return;
    raised = true;
    await sql.enqueueChange(
      `insert into calendars (owner_id, last_number, version, feed) values (?, 0, 1, null)
       on conflict (owner_id) do update set version = calendars.version + 1`,
      [ownerId],
    );
  };
  const changed = async (text: string, values: readonly Value[]) => {
    if ((await sql.run(text, [ownerId, ...values])) > 0) await raise();
  };
  const those = async (column: 'id' | 'uid', values: readonly string[]) => {
    const text = (placeholders: string) =>
      `${SELECT_EVENT} where owner_id = ? and ${column} in (${placeholders})`;
    return (await selectByIds<Row>(sql, text, [ownerId], values)).map(eventFrom);
  };
  const calendar = () =>
    sql.get<{ last_number: number; version: number; feed: string | null }>(
      'select last_number, version, feed from calendars where owner_id = ?',
      [ownerId],
    );
  const contains =
    sql.dialect === 'sqlite' ? 'instr(search_fold, ?) > 0' : 'strpos(search_fold, ?) > 0';

  return {
    ...createExceptions(sql, ownerId, changed),
    find: async (id) => {
      const row = await sql.get<Row>(`${SELECT_EVENT} where owner_id = ? and id = ?`, [
        ownerId,
        id,
      ]);
      return row && eventFrom(row);
    },
    findMany: (ids) => those('id', ids),
    findByUids: (uids) => those('uid', uids),
    save: async (event) => {
      const { duration, reach, ...rest } = event;
      await changed(SAVE_EVENT, [
        folded(event),
        ...EVENT.values({ ...rest, ...duration, ...reach }),
      ]);
    },
    remindAt: (id, at) =>
      sql.enqueueChange(
        'update calendar_events set next_reminder_at = ? where owner_id = ? and id = ?',
        [at, ownerId, id],
      ),
    remove: async (id) => {
      await changed('delete from calendar_exceptions where owner_id = ? and event_id = ?', [id]);
      await changed('delete from calendar_events where owner_id = ? and id = ?', [id]);
    },
    nextNumber: async () => {
      await raise();
      const row = await sql.get<{ last_number: number }>(
        'update calendars set last_number = last_number + 1 where owner_id = ? returning last_number',
        [ownerId],
      );
      if (!row) throw new Error('The calendar has no row to count in.');
      return row.last_number;
    },
    skipTo: async (number) => {
      await raise();
      await sql.enqueueChange(
        'update calendars set last_number = ? where owner_id = ? and last_number < ?',
        [number, ownerId, number],
      );
    },
    page: async ({ search, limit, offset }) => {
      const [also, values] = search === '' ? ['', []] : [`and ${contains}`, [foldName(search)]];
      const items = await sql.all<Row>(
        `${SELECT_EVENT} where owner_id = ? ${also} order by number desc limit ? offset ?`,
        [ownerId, ...values, limit, offset],
      );
      const counted = await sql.get<{ n: number }>(
        `select count(*) as n from calendar_events where owner_id = ? ${also}`,
        [ownerId, ...values],
      );
      return { items: items.map(eventFrom), total: Number(counted?.n ?? 0) };
    },
    reaching: async ({ from, to }, after, limit) => {
      const rows = await sql.all<Row>(
        `${SELECT_EVENT} where owner_id = ? and (reach_until, id) > (?, ?) and reach_from < ?
         order by reach_until, id limit ?`,
        // Events that end at `from` are past. The upper bound sorts after all ids with that end.
        [ownerId, after?.until ?? from, after?.id ?? AFTER_ALL, to, limit],
      );
      return rows.map(eventFrom);
    },
    version: async () => (await calendar())?.version ?? 0,
    feed: async () => (await calendar())?.feed ?? undefined,
    putFeed: async (digest) => {
      await raise();
      await sql.enqueueChange('update calendars set feed = ? where owner_id = ?', [
        digest,
        ownerId,
      ]);
    },
  };
}

/** Sorts after every id. */
const AFTER_ALL = '~';
