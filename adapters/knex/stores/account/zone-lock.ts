import {
  MAX_UNLOCK_TOKENS,
  type UnlockToken,
  type PinLock,
  type PinLockStore,
} from '../../../../ports/hidden-zone.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import { upsertText, type Sql, type Value } from '../../sql.ts';

const LOCK = recordMap<PinLock>({
  pinHash: plain('pin_hash'),
  failures: plain('failures'),
  lockedUntil: plain('locked_until'),
});
const TOKEN = recordMap<UnlockToken>({
  digest: plain('digest'),
  expiresAt: plain('expires_at'),
});
const PUT = upsertText('pin_locks', ['owner_id', ...LOCK.columns], ['owner_id']);
const ADD_TOKEN = saveText('unlock_tokens', TOKEN, ['digest']);
const GET = `select ${LOCK.columns.join(', ')} from pin_locks where owner_id = ?`;
const FIND_TOKEN = `select ${TOKEN.columns.join(', ')} from unlock_tokens where owner_id = ? and digest = ?`;

export function knexZoneLock(sql: Sql, { ownerId }: OwnerScope): PinLockStore {
  const clearTokens = () =>
    sql.enqueueChange('delete from unlock_tokens where owner_id = ?', [ownerId]);
  return {
    get: async () => {
      const row = await sql.get<Record<string, Value>>(GET, [ownerId]);
      return row && LOCK.from(row);
    },
    put: (lock) => sql.enqueueChange(PUT, [ownerId, ...LOCK.values(lock)]),
    remove: async () => {
      await sql.enqueueChange('delete from pin_locks where owner_id = ?', [ownerId]);
      await clearTokens();
    },
    addToken: async (token) => {
      await sql.enqueueChange(ADD_TOKEN, [ownerId, ...TOKEN.values(token)]);
      await sql.enqueueChange(
        `delete from unlock_tokens where owner_id = ? and digest in (
           select digest from unlock_tokens where owner_id = ?
           order by expires_at desc, digest desc limit ? offset ?)`,
        [ownerId, ownerId, MAX_UNLOCK_TOKENS, MAX_UNLOCK_TOKENS],
      );
    },
    findToken: async (digest) => {
      const row = await sql.get<Record<string, Value>>(FIND_TOKEN, [ownerId, digest]);
      return row && TOKEN.from(row);
    },
    clearTokens,
  };
}
