import type { Instant } from './time-and-ids.ts';

export const INTEGRATION_KINDS = ['llm', 's3'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** A service of an owner's own that this one is connected to. */
export interface Integration {
  readonly kind: IntegrationKind;
  /** The fields of its kind, named as on the wire; nothing secret. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What proves us there, sealed; null where none is needed. */
  readonly sealedSecret: string | null;
  /** The last characters of the secret, '' where nothing of it may be shown. */
  readonly secretHint: string;
  readonly enabled: boolean;
  /** How the last check ended. */
  readonly health: 'ok' | 'error';
  readonly checkedAt: Instant;
  /** What the last check found wrong, a sentence for a person; '' when nothing was. */
  readonly lastError: string;
  readonly updatedAt: Instant;
}

/**
 * A bucket that the owner has removed from the settings while copies were in it. It is used to read these copies and to
 * bring them back, and is deleted after the last of them.
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
 * - What was put is found by its kind, field for field, and replaced by what is put later.
 * - `remove` answers whether there was one, and takes that kind alone.
 * - `retire` stores or replaces a retired bucket by its id, field for field, and `forgetRetired` removes it and no other.
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
