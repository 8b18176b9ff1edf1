import type { IdempotencyRecord, IdempotencyStore } from '../../../../ports/idempotency.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const RECEIPT = recordMap<IdempotencyRecord>({
  key: plain('record_key'),
  fingerprint: plain('fingerprint'),
  response: plain('response'),
  expiresAt: plain('expires_at'),
});
const SAVE = saveText('idempotency_records', RECEIPT, ['record_key']);
const FIND = `select ${RECEIPT.columns.join(', ')} from idempotency_records where owner_id = ? and record_key = ?`;

export function knexReceipts(sql: Sql, { ownerId }: OwnerScope): IdempotencyStore {
  return {
    find: async (key) => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId, key]);
      return row && RECEIPT.from(row);
    },
    save: (receipt) => sql.enqueueChange(SAVE, [ownerId, ...RECEIPT.values(receipt)]),
    remove: (key) =>
      sql.enqueueChange('delete from idempotency_records where owner_id = ? and record_key = ?', [
        ownerId,
        key,
      ]),
    removeExpired: (before, limit) =>
      sql.run(
        `delete from idempotency_records where owner_id = ? and record_key in (
           select record_key from idempotency_records where owner_id = ? and expires_at < ?
           order by expires_at limit ?)`,
        [ownerId, ownerId, before, limit],
      ),
  };
}
