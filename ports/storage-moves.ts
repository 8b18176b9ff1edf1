import type { Place } from './placements.ts';
import type { Instant } from './time-and-ids.ts';

export const MOVE_DIRECTIONS = ['out', 'back'] as const;
/** Into the bucket of the owner, or from there to the service. */
export type MoveDirection = (typeof MOVE_DIRECTIONS)[number];

export const MOVE_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type MoveStatus = (typeof MOVE_STATUSES)[number];

/** A run that moves the bytes of an owner from one place to the other. */
export interface StorageMove {
  /** Of the run, and of its task. */
  readonly id: string;
  readonly direction: MoveDirection;
  readonly status: MoveStatus;
  /** Its owner wants it to end after the file in hand. */
  readonly cancelRequested: boolean;
  /** Why it has failed, or what it waits for; '' for nothing. */
  readonly error: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** A blob that could not be moved. */
export interface MoveFailure {
  readonly blobId: string;
  readonly attempts: number;
  /** The run does not try it again. */
  readonly isFinal: boolean;
  /** A sentence for people, which names no file; '' for a content that only hidden objects hold. */
  readonly reason: string;
}

/** Of a stretch of an owner's objects, those that have bytes. */
export interface MoveCount {
  readonly total: number;
  /** Those of which some content, of any version, or a link's picture, does not lie in the place. */
  readonly elsewhere: number;
  /** Those of them for which that is so because it could not be moved, and is not tried again. */
  readonly failed: number;
  /** The last object of the stretch; null where there is none behind it. */
  readonly next: string | null;
}

/**
 * The latest run of one owner, and what it could not move.
 *
 * Contract (contract-tests/suites/storage-move-store.ts):
 * - `save` replaces the run of before, and `find` gives it, field for field.
 * - `noteFailure` inserts or replaces what is known of a blob; `failures` gives that of the blobs asked for, field for field.
 * - `forgetFailure` takes one away, `clearFailures` all of them.
 * - `failureCounts` tells how many are final and how many are not.
 * - `lastFailure` returns a final one with a reason, or nothing.
 * - `count` counts objects that have bytes, each once, those of which any version or a link's picture lies elsewhere, and those of these that failed for good; hidden ones where they are asked for.
 * - `count` looks at so many objects at most, in the order of their ids, and tells where to go on.
 * - Another owner's run is out of reach.
 */
export interface StorageMoveStore {
  find(): Promise<StorageMove | undefined>;
  save(move: StorageMove): Promise<void>;
  failures(blobIds: readonly string[]): Promise<readonly MoveFailure[]>;
  noteFailure(failure: MoveFailure): Promise<void>;
  forgetFailure(blobId: string): Promise<void>;
  clearFailures(): Promise<void>;
  failureCounts(): Promise<{ readonly open: number; readonly final: number }>;
  lastFailure(): Promise<MoveFailure | undefined>;
  count(
    place: Place,
    sight: { readonly hidden: boolean },
    after: string | null,
    limit: number,
  ): Promise<MoveCount>;
}
