import type { StorageLocation } from './blob-locations.ts';
import type { Instant } from './runtime.ts';

export const MIGRATION_DIRECTIONS = ['out', 'back'] as const;
/** Into the owner's bucket, or from there to the service. */
export type MigrationDirection = (typeof MIGRATION_DIRECTIONS)[number];

export const MIGRATION_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** A run that moves an owner's blobs from one location to the other. */
export interface StorageMigration {
  /** Id of the run and of its task. */
  readonly id: string;
  readonly direction: MigrationDirection;
  readonly status: MigrationStatus;
  /** The owner wants the run to end after the current file. */
  readonly cancelRequested: boolean;
  /** Why it failed, or what it waits for; '' for nothing. */
  readonly error: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** A blob that could not be moved. */
export interface MigrationFailure {
  readonly blobId: string;
  readonly attempts: number;
  /** The run does not retry it. */
  readonly isFinal: boolean;
  /** A sentence for the user that names no file; '' for a content that only hidden objects use. */
  readonly reason: string;
}

/** Counts over a range of an owner's objects: those that have bytes. */
export interface MigrationCount {
  readonly total: number;
  /** Those with content of any version, or a link's preview image, stored outside the target location. */
  readonly elsewhere: number;
  /** Of these, the ones whose move failed for good. */
  readonly failed: number;
  /** The last object of the range; null if no object follows. */
  readonly next: string | null;
}

/**
 * The latest run of one owner, and the blobs it could not move.
 *
 * Contract (contract-tests/suites/storage-migration-store.ts):
 * - `save` replaces the previous run, and `find` returns it, field for field.
 * - `noteFailure` inserts or replaces the failure of a blob. `failures` returns those of the given blobs, field for
 *   field.
 * - `forgetFailure` removes one failure, `clearFailures` all of them.
 * - `failureCounts` returns how many are final and how many are not.
 * - `lastFailure` returns a final failure with a reason, or nothing.
 * - `count` counts objects that have bytes, each once; those of which any version or preview image is stored
 *   elsewhere; and of these, those that failed for good. Hidden objects are included on request.
 * - `count` visits a limited number of objects, in id order, and returns where to continue.
 * - Another owner's run is out of reach.
 */
export interface StorageMigrationStore {
  find(): Promise<StorageMigration | undefined>;
  save(move: StorageMigration): Promise<void>;
  failures(blobIds: readonly string[]): Promise<readonly MigrationFailure[]>;
  noteFailure(failure: MigrationFailure): Promise<void>;
  forgetFailure(blobId: string): Promise<void>;
  clearFailures(): Promise<void>;
  failureCounts(): Promise<{ readonly open: number; readonly final: number }>;
  lastFailure(): Promise<MigrationFailure | undefined>;
  count(
    place: StorageLocation,
    sight: { readonly hidden: boolean },
    after: string | null,
    limit: number,
  ): Promise<MigrationCount>;
}
