import type { Migration } from './migration.ts';

/**
 * An index for sweeping the receipts of all owners by expiry. Receipts of the PIN are deleted: they hold an unsalted digest
 * of a request whose only secret has four digits, and the operation no longer accepts a key.
 */
export const receiptExpiry: Migration = {
  version: 25,
  name: 'receipt-expiry',
  up: async (knex) => {
    await knex.raw('create index receipts_by_expiry on receipts (kept_until, owner_id)');
    await knex.raw("delete from receipts where receipt_key like 'POST /v1/hidden-pin %'");
  },
};
