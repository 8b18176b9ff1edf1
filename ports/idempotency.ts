import type { Instant } from './runtime.ts';

/** The outcome of a request with an idempotency key. */
export interface IdempotencyRecord {
  /** The operation and its path, and the key of the request. */
  readonly key: string;
  /** Digest of all inputs of the request. */
  readonly fingerprint: string;
  /** The sealed response; null while the first request still runs. */
  readonly response: string | null;
  /** While the request runs: the end of its lease. Afterwards: until when the response is stored. */
  readonly expiresAt: Instant;
}

/**
 * The idempotency records of one owner.
 *
 * Contract (contract-tests/suites/idempotency-store.ts):
 * - `find` returns what was saved, field for field; `save` inserts or replaces.
 * - `removeExpired` removes the records that expired before a moment, at most `limit`, and returns their number.
 */
export interface IdempotencyStore {
  find(key: string): Promise<IdempotencyRecord | undefined>;
  save(receipt: IdempotencyRecord): Promise<void>;
  remove(key: string): Promise<void>;
  removeExpired(before: Instant, limit: number): Promise<number>;
}
