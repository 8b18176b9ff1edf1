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
 * The connections of one owner, at most one of each kind.
 *
 * Contract (contract-tests/suites/integration-store.ts):
 * - What was put is found by its kind, field for field, and replaced by what is put later.
 * - `remove` answers whether there was one, and takes that kind alone.
 * - Another owner's connections are out of reach.
 */
export interface IntegrationStore {
  find(kind: IntegrationKind): Promise<Integration | undefined>;
  put(integration: Integration): Promise<void>;
  remove(kind: IntegrationKind): Promise<boolean>;
}
