import type { Token } from './identity.ts';
import type { BlobReference } from './integrity.ts';
import type { Instant } from './runtime.ts';
import type { SecurityEvent } from './security-events.ts';

/** A table of the database, with its columns in the order of its rows' values. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table in a given schema version. */
export interface KnownTable extends TableShape {
  /**
   * Its rows are in no backup, and those of an older backup are dropped. They are short-lived, such as unlock tokens.
   * A restore must not revive a revoked one.
   */
  readonly isTransient: boolean;
}

/** How to revoke access in restored rows: bearer tokens, share links, calendar feeds, bot link codes. */
export interface AccessReset {
  readonly at: Instant;
  /** Maximum number of owners, oldest first, that get a new token. */
  readonly maxTokens: number;
  newToken(): Token;
  newLinkCode(): string;
}

/** How many of each were revoked, the number of owners, and the new tokens. */
export interface EndedAccess {
  readonly tokens: number;
  readonly shares: number;
  readonly feeds: number;
  readonly linkCodes: number;
  readonly owners: number;
  readonly issued: readonly {
    readonly ownerId: string;
    readonly name: string;
    readonly tokenId: string;
  }[];
}

/** What a restore adds to the rows of a backup, in the same transaction. */
export interface RestoreClosing {
  /** Absent to preserve the access of the backup. */
  readonly reset?: AccessReset | undefined;
  /** The event that records the restore, after the last event of an owner. */
  restoredEvent(last: SecurityEvent | undefined): SecurityEvent;
  /** The event that records a token that the reset issued, after the event of the restore. */
  tokenEvent(last: SecurityEvent, tokenId: string): SecurityEvent;
}

export type RowValue = string | number | null;
export type TableRow = readonly RowValue[];

/** All rows of all owners at one moment. The caller that opened it closes it. */
export interface RowSnapshot {
  /** The schema version of the tables. */
  readonly schema: number;
  /** In restore order: referenced tables come before the tables that refer to them. */
  readonly tables: readonly TableShape[];
  /** The rows of a table, in pages of bounded size. */
  rows(table: string): AsyncIterable<readonly TableRow[]>;
  /** Every secret that is sealed with a key. */
  sealed(): Promise<readonly string[]>;
  /** Blobs that the rows refer to: at most `limit` after the given id, in id order. */
  blobReferences(after: string | null, limit: number): Promise<readonly BlobReference[]>;
  close(): Promise<void>;
}

/**
 * Reads all rows while other processes write. It leaves out the derived search index, state of running processes, and
 * transient tables.
 *
 * Contract (contract-tests/suites/backup-rows.ts):
 * - A snapshot returns the rows of one moment, regardless of concurrent writes.
 * - A snapshot returns the sealed secrets and the blobs of its moment.
 */
export interface BackupSource {
  open(): Promise<RowSnapshot>;
}

/** Another restore into the same target has begun since. */
export class RestoreSupersededError extends Error {
  override readonly name = 'RestoreSupersededError';
}

/**
 * An empty target that receives all rows, or none. `begin` sets a mark that keeps every process from using the target
 * until `fill` has resolved. The next `begin` takes over a mark whose process has died.
 *
 * Contract (contract-tests/suites/backup-rows.ts):
 * - A snapshot of a filled target returns the same rows, and the database passes the same checks.
 * - Generated sequence numbers continue after the restored ones.
 * - Tasks that were running in the snapshot are due at once.
 * - A target is empty, begun or used, and reports its state. Only the process that called `begin` last may fill it.
 * - A failed restore leaves no row behind and can be started again.
 * - Rows of transient tables are dropped.
 * - With an access reset, tokens, share links, feeds and link codes are revoked in the same transaction.
 * - The restore, and a token that the reset issued, are recorded as the next security events of an owner, in the same
 *   transaction.
 * - Rows of an earlier schema are migrated to the current one. An unknown schema version has no tables.
 */
export interface RestoreTarget {
  state(): Promise<'empty' | 'begun' | 'used'>;
  /** The tables of a schema version; undefined if this program does not know the version. */
  tablesOf(schema: number): Promise<readonly KnownTable[] | undefined>;
  begin(mark: string): Promise<void>;
  /** Rejects with RestoreSupersededError if another process has set the mark since. */
  fill(
    mark: string,
    schema: number,
    rows: (table: TableShape) => AsyncIterable<readonly TableRow[]>,
    closing?: RestoreClosing,
  ): Promise<EndedAccess | undefined>;
}

/** A fingerprint of the installation key, and a keyed hash of a text. Both can be verified only with the same key. */
export interface KeyFingerprint {
  /** Equal for equal keys; does not reveal the key. */
  readonly fingerprint: string;
  /** HMAC-SHA256 in lower-case hex. */
  sign(text: string): string;
}
