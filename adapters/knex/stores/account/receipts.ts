import type { Receipt, ReceiptStore } from '../../../../ports/receipts.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const RECEIPT = recordMap<Receipt>({
  key: plain('receipt_key'),
  fingerprint: plain('fingerprint'),
  answer: plain('answer'),
  keptUntil: plain('kept_until'),
});
const SAVE = saveText('receipts', RECEIPT, ['receipt_key']);
const FIND = `select ${RECEIPT.columns.join(', ')} from receipts where owner_id = ? and receipt_key = ?`;

export function knexReceipts(sql: Sql, { ownerId }: OwnerScope): ReceiptStore {
  return {
    find: async (key) => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId, key]);
      return row && RECEIPT.from(row);
    },
    save: (receipt) => sql.enqueueChange(SAVE, [ownerId, ...RECEIPT.values(receipt)]),
    remove: (key) =>
      sql.enqueueChange('delete from receipts where owner_id = ? and receipt_key = ?', [
        ownerId,
        key,
      ]),
    removeExpired: (before, limit) =>
      sql.run(
        `delete from receipts where owner_id = ? and receipt_key in (
           select receipt_key from receipts where owner_id = ? and kept_until < ?
           order by kept_until limit ?)`,
        [ownerId, ownerId, before, limit],
      ),
  };
}
