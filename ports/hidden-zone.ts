import type { Instant } from './runtime.ts';

/** The owner's PIN, and the state of failed attempts. */
export interface PinLock {
  readonly pinHash: string;
  /** Consecutive PIN attempts that were counted and not yet cleared by a correct one. */
  readonly failures: number;
  readonly lockedUntil: Instant | null;
}

export interface UnlockToken {
  /** Digest of the secret; the secret is not stored. */
  readonly digest: string;
  readonly expiresAt: Instant;
}

/**
 * The hidden zone of one owner: its PIN, if one is set, and the unlock tokens in use.
 *
 * Contract (contract-tests/suites/pin-lock-store.ts):
 * - `get` returns the lock last stored, and nothing after `remove`.
 * - An unlock token is found by its digest until the tokens are cleared; `remove` clears them too.
 * - At most `MAX_UNLOCK_TOKENS` are stored: adding one more drops the one that expires first.
 */
export interface PinLockStore {
  get(): Promise<PinLock | undefined>;
  put(lock: PinLock): Promise<void>;
  remove(): Promise<void>;
  addToken(token: UnlockToken): Promise<void>;
  findToken(digest: string): Promise<UnlockToken | undefined>;
  clearTokens(): Promise<void>;
}

export const MAX_UNLOCK_TOKENS = 50;
