import type { Instant } from './time-and-ids.ts';

/** The owner's PIN, and how entry stands after wrong ones. */
export interface ZoneLock {
  readonly pinHash: string;
  /** PIN attempts in a row that were charged and not yet taken back by a right one. */
  readonly failures: number;
  readonly lockedUntil: Instant | null;
}

export interface UnlockToken {
  /** Digest of the secret; the secret is not kept. */
  readonly digest: string;
  readonly expiresAt: Instant;
}

/**
 * The hidden zone of one owner: its lock, when a PIN is set, and the unlock tokens that are out.
 *
 * Contract (contract-tests/suites/zone-lock-store.ts):
 * - `get` gives the lock last put, and nothing after `remove`.
 * - An unlock token is found by its digest until the tokens are cleared; `remove` clears them too.
 * - No more than `MAX_UNLOCK_TOKENS` are kept: adding one more drops the one that expires first.
 */
export interface ZoneLockStore {
  get(): Promise<ZoneLock | undefined>;
  put(lock: ZoneLock): Promise<void>;
  remove(): Promise<void>;
  addToken(token: UnlockToken): Promise<void>;
  findToken(digest: string): Promise<UnlockToken | undefined>;
  clearTokens(): Promise<void>;
}

export const MAX_UNLOCK_TOKENS = 50;
