import {
  MAX_KNOWN_CLIENTS,
  MAX_SESSIONS,
  type Session,
  type SessionStore,
} from '../../../../ports/sign-in.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import { upsertText, type Sql, type Value } from '../../sql.ts';

export const SESSION = recordMap<Session>({
  id: plain('id'),
  digest: plain('digest'),
  method: plain('method'),
  createdAt: plain('created_at'),
  signedInAt: plain('signed_in_at'),
  lastUsedAt: plain('last_used_at'),
  expiresAt: plain('expires_at'),
  network: plain('network'),
  client: plain('client'),
});
const COLUMNS = SESSION.columns.join(', ');
const SAVE = saveText('sessions', SESSION, ['id']);
const FIND = `select ${COLUMNS} from sessions where owner_id = ? and id = ?`;
const PAGE = `select ${COLUMNS} from sessions where owner_id = ?
  order by last_used_at desc, id desc limit ? offset ?`;
/** The saved session itself is never dropped. */
const DROP_UNUSED = `delete from sessions where owner_id = ? and id in (
  select id from sessions where owner_id = ? and id <> ?
  order by last_used_at desc, id desc limit ? offset ?)`;
const KNOW_CLIENT = upsertText(
  'known_clients',
  ['owner_id', 'network', 'client', 'seen_at'],
  ['owner_id', 'network', 'client'],
);
const FORGET_CLIENTS = `delete from known_clients where owner_id = ? and (network, client) in (
  select network, client from known_clients where owner_id = ?
  order by seen_at desc, network, client limit ? offset ?)`;

export function knexSessions(sql: Sql, { ownerId }: OwnerScope): SessionStore {
  return {
    find: async (id) => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId, id]);
      return row && SESSION.from(row);
    },
    page: async (limit, offset) => {
      const rows = await sql.all<Record<string, Value>>(PAGE, [ownerId, limit, offset]);
      // At most `MAX_SESSIONS` rows.
      const counted = await sql.get<{ n: number }>(
        'select count(*) as n from sessions where owner_id = ?',
        [ownerId],
      );
      return { items: rows.map(SESSION.from), total: counted?.n ?? 0 };
    },
    save: async (session) => {
      const { id, network, client, signedInAt } = session;
      await sql.enqueueChange(SAVE, [ownerId, ...SESSION.values(session)]);
      await sql.enqueueChange(DROP_UNUSED, [ownerId, ownerId, id, MAX_SESSIONS, MAX_SESSIONS - 1]);
      await sql.enqueueChange(KNOW_CLIENT, [ownerId, network, client, signedInAt]);
      await sql.enqueueChange(FORGET_CLIENTS, [
        ownerId,
        ownerId,
        MAX_KNOWN_CLIENTS,
        MAX_KNOWN_CLIENTS,
      ]);
    },
    recordUse: (id, at, network) =>
      sql.enqueueChange(
        'update sessions set last_used_at = ?, network = ? where owner_id = ? and id = ?',
        [at, network, ownerId, id],
      ),
    remove: async (id) =>
      (await sql.run('delete from sessions where owner_id = ? and id = ?', [ownerId, id])) > 0,
    removeOthers: (exceptId) =>
      exceptId === null
        ? sql.column<string>('delete from sessions where owner_id = ? returning id', [ownerId])
        : sql.column<string>('delete from sessions where owner_id = ? and id <> ? returning id', [
            ownerId,
            exceptId,
          ]),
    removeExpired: (before, unusedSince) =>
      sql.run('delete from sessions where owner_id = ? and (expires_at < ? or last_used_at < ?)', [
        ownerId,
        before,
        unusedSince,
      ]),
    isKnownClient: async (network, client) => {
      const row = await sql.get(
        'select 1 as one from known_clients where owner_id = ? and network = ? and client = ?',
        [ownerId, network, client],
      );
      return row !== undefined;
    },
  };
}
