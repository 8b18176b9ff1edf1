import {
  MAX_NOTIFICATIONS,
  type Notification,
  type NotificationVisibility,
  type NotificationStore,
} from '../../../../ports/notifications.ts';
import type { Instant } from '../../../../ports/runtime.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, emptyAsNull, plain, recordMap } from '../../record-mapper.ts';
import { indexedBy, placeholders, padded, type Sql, type Value } from '../../sql.ts';

const NOTIFICATION = recordMap<Notification>({
  id: plain('id'),
  kind: plain('kind'),
  title: plain('title'),
  body: plain('body'),
  payload: json('payload'),
  objectId: emptyAsNull('object_id'),
  isHidden: flag('is_hidden'),
  readAt: plain('read_at'),
  createdAt: plain('created_at'),
});
const COLUMNS = NOTIFICATION.columns.join(', ');
const ADD = `insert into notifications (owner_id, ${COLUMNS})
  values (${placeholders(NOTIFICATION.columns.length + 1)})`;

const NUMBERS = ['visible_total', 'visible_unread', 'hidden_total', 'hidden_unread'] as const;
/** A version rises by one, or to the moment of the change; with 0 for a moment there was none. */
const risen = (column: string) =>
  `${column} = case when excluded.${column} = 0 then s.${column}
    when s.${column} + 1 > excluded.${column} then s.${column} + 1 else excluded.${column} end`;
const MOVE = `insert into notification_states as s (owner_id, version, visible_version, ${NUMBERS.join(', ')})
  values (${placeholders(NUMBERS.length + 3)}) on conflict (owner_id) do update set
  ${risen('version')}, ${risen('visible_version')},
  ${NUMBERS.map((column) => `${column} = s.${column} + excluded.${column}`).join(', ')}
  returning visible_total, hidden_total`;
const STATE = `select ${NUMBERS.join(', ')} from notification_states where owner_id = ?`;
const VERSIONS = 'select version, visible_version from notification_states where owner_id = ?';

type State = Readonly<Record<(typeof NUMBERS)[number], number>>;
type Versions = Readonly<Record<'version' | 'visible_version', number>>;

/** A row that came, changed or went, as far as it is counted. */
interface Counted {
  readonly is_hidden: number;
  readonly read_at: number | null;
}
interface Shift {
  readonly hidden: boolean;
  readonly total: number;
  readonly unread: number;
}

/** The changes that rows of one kind make to the counters; subtracted with -1. */
const shift = (hidden: boolean, rows: readonly Pick<Counted, 'read_at'>[], by: 1 | -1): Shift => ({
  hidden,
  total: by * rows.length,
  unread: by * rows.filter(({ read_at: at }) => at === null).length,
});

export function knexNotifications(sql: Sql, { ownerId }: OwnerScope): NotificationStore {
  const state = () => sql.get<State>(STATE, [ownerId]);

  /** The counter row is updated in the same transaction as the rows it counts. */
  const move = async (at: Instant, shifts: readonly Shift[]): Promise<void> => {
    const sum = (hidden: boolean, of: 'total' | 'unread') =>
      shifts.reduce((n, each) => n + (each.hidden === hidden ? each[of] : 0), 0);
    const numbers = [false, true].flatMap((h) => [sum(h, 'total'), sum(h, 'unread')]);
    const visible = shifts.some(({ hidden }) => !hidden);
    const moment = Math.max(at, 1);
    const values = [ownerId, moment, visible ? moment : 0, ...numbers];
    const [after] = await sql.all<Pick<State, 'visible_total' | 'hidden_total'>>(MOVE, values);
    await trim(at, false, after?.visible_total ?? 0);
    await trim(at, true, after?.hidden_total ?? 0);
  };
  const trim = async (at: Instant, hidden: boolean, total: number): Promise<void> => {
    if (total <= MAX_NOTIFICATIONS) return;
    const gone = await sql.all<Counted>(
      `delete from notifications where owner_id = ? and id in (
         select id from notifications where owner_id = ? and is_hidden = ?
         order by created_at, id limit ?) returning is_hidden, read_at`,
      [ownerId, ownerId, hidden ? 1 : 0, total - MAX_NOTIFICATIONS],
    );
    await move(at, [shift(hidden, gone, -1)]);
  };
  const gone = async (at: Instant, rows: readonly Counted[]): Promise<void> => {
    const shifts = [false, true].flatMap((hidden) => {
      const kind = rows.filter((row) => row.is_hidden === Number(hidden));
      return kind.length > 0 ? [shift(hidden, kind, -1)] : [];
    });
    if (shifts.length > 0) await move(at, shifts);
  };

  return {
    add: async (notification) => {
      const { isHidden, readAt, createdAt } = notification;
      await sql.enqueueChange(ADD, [ownerId, ...NOTIFICATION.values(notification)]);
      await move(createdAt, [shift(isHidden, [{ read_at: readAt }], 1)]);
    },
    page: async (sight, unreadOnly, { limit, offset }) => {
      const index = unreadOnly
        ? 'notifications_unread'
        : sight === 'any'
          ? 'notifications_by_time'
          : 'notifications_by_visibility';
      const rowsOf = () =>
        sql.all<Record<string, Value>>(
          `select ${COLUMNS} from notifications${indexedBy(sql, index)}
           where owner_id = ?${inSight(sight)}${unreadOnly ? ' and read_at is null' : ''}
           order by created_at desc, id desc limit ? offset ?`,
          [ownerId, limit, offset],
        );
      // The first page ends with the index. A later page may be past the end, which is checked before it is read.
      const [counts, first] = await Promise.all([state(), offset === 0 ? rowsOf() : undefined]);
      const count = (of: 'total' | 'unread') =>
        (counts?.[`visible_${of}`] ?? 0) + (sight === 'any' ? (counts?.[`hidden_${of}`] ?? 0) : 0);
      const total = count(unreadOnly ? 'unread' : 'total');
      const unread = count('unread');
      if (offset >= total) return { items: [], total, unread };
      const rows = first ?? (await rowsOf());
      return { items: rows.map(NOTIFICATION.from), total, unread };
    },
    version: async (sight) => {
      const versions = await sql.get<Versions>(VERSIONS, [ownerId]);
      return (sight === 'any' ? versions?.version : versions?.visible_version) ?? 0;
    },
    markRead: async (sight, which, at) => {
      const ids = which === 'all' ? [] : padded([...new Set(which)]);
      if (which !== 'all' && ids.length === 0) return;
      const shifts: Shift[] = [];
      for (const hidden of sight === 'any' ? [false, true] : [false]) {
        const read = await sql.run(
          `update notifications set read_at = ? where owner_id = ? and read_at is null
           and is_hidden = ?${which === 'all' ? '' : ` and id in (${placeholders(ids.length)})`}`,
          [at, ownerId, hidden ? 1 : 0, ...ids],
        );
        if (read > 0) shifts.push({ hidden, total: 0, unread: -read });
      }
      if (shifts.length > 0) await move(at, shifts);
    },
    remove: async (sight, id, at) => {
      const rows = await sql.all<Counted>(
        `delete from notifications where owner_id = ? and id = ?${inSight(sight)}
         returning is_hidden, read_at`,
        [ownerId, id],
      );
      await gone(at, rows);
      return rows.length > 0;
    },
    setObjectVisibility: async (objectId, isHidden, at) => {
      const hidden = isHidden ? 1 : 0;
      const rows = await sql.all<Counted>(
        `update notifications set is_hidden = ? where owner_id = ? and object_id = ?
         and is_hidden <> ? returning is_hidden, read_at`,
        [hidden, ownerId, objectId, hidden],
      );
      if (rows.length > 0) await move(at, [shift(!isHidden, rows, -1), shift(isHidden, rows, 1)]);
    },
    forgetObject: async (objectId, at) =>
      gone(
        at,
        await sql.all<Counted>(
          'delete from notifications where owner_id = ? and object_id = ? returning is_hidden, read_at',
          [ownerId, objectId],
        ),
      ),
  };
}

const inSight = (sight: NotificationVisibility): string =>
  sight === 'any' ? '' : ' and is_hidden = 0';
