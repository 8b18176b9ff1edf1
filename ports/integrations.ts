import type { ModelHabit } from './language-model.ts';
import type { Instant } from './runtime.ts';

export const INTEGRATION_KINDS = ['llm', 's3'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** An external service that the owner has connected. */
export interface Integration {
  readonly kind: IntegrationKind;
  /** The fields of its kind, named as in the API; nothing secret. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The sealed credentials; null if none are needed. */
  readonly sealedSecret: string | null;
  /** The last characters of the secret, '' if none may be shown. */
  readonly secretHint: string;
  readonly enabled: boolean;
  /** Result of the last check. */
  readonly health: 'ok' | 'error';
  readonly checkedAt: Instant;
  /** The error of the last check, a sentence for the user; '' if it succeeded. */
  readonly lastError: string;
  /** What the last check has shown of a model's service; empty for other kinds. */
  readonly habits: readonly ModelHabit[];
  readonly updatedAt: Instant;
}

/**
 * A bucket that the owner removed from the settings while it still contained copies. It is used to read these copies
 * and to move them back, and is deleted after the last of them.
 */
export interface RetiredBucket {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly sealedSecret: string | null;
}

/**
 * The connections of one owner, at most one of each kind.
 *
 * Contract (contract-tests/suites/integration-store.ts):
 * - A connection is found by its kind, field for field, and replaced by a later one.
 * - `remove` returns whether the connection existed, and removes that kind only.
 * - `retire` stores or replaces a retired bucket by its id, field for field, and `forgetRetired` removes only that
 *   one.
 * - Another owner's connections are out of reach.
 */
export interface IntegrationStore {
  find(kind: IntegrationKind): Promise<Integration | undefined>;
  put(integration: Integration): Promise<void>;
  remove(kind: IntegrationKind): Promise<boolean>;
  /** In the order of their ids. */
  retired(): Promise<readonly RetiredBucket[]>;
  retire(bucket: RetiredBucket): Promise<void>;
  forgetRetired(id: string): Promise<void>;
}
