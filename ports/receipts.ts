import type { Instant } from './time-and-ids.ts';

/** What became of a request that carried an idempotency key. */
export interface Receipt {
  /** The operation and its path, and the key the request carried. */
  readonly key: string;
  /** Digest of everything the request asks for. */
  readonly fingerprint: string;
  /** The sealed answer; null while the first request still runs. */
  readonly response: string | null;
  /** While it runs: until when it may still be running. Afterwards: until when the answer is kept. */
  readonly expiresAt: Instant;
}

/**
 * The receipts of one owner.
 *
 * Contract (contract-tests/suites/receipt-store.ts):
 * - `find` gives back what was saved, field for field; `save` inserts or replaces.
 * - `removeExpired` takes away the receipts kept until before a moment, at most `limit`, and answers how many.
 */
export interface ReceiptStore {
  find(key: string): Promise<Receipt | undefined>;
  save(receipt: Receipt): Promise<void>;
  remove(key: string): Promise<void>;
  removeExpired(before: Instant, limit: number): Promise<number>;
}
