import type { Instant } from './runtime.ts';

/** The background tasks of one kind, of all owners together. */
export interface QueueDepth {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  /** When the first of the waiting tasks is due; null without one. */
  readonly oldestDueAt: Instant | null;
}

/** The objects of all owners that are not hidden, in their current versions. */
export interface VisibleFiles {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Numbers over all owners for the operator. They name no owner and nothing that an owner has stored. Hidden objects count
 * nowhere: the operator of a small installation is its owner, whose own numbers beside these would tell of them.
 *
 * Contract (contract-tests/suites/installation-counts.ts):
 * - `queues` counts the tasks of all owners by kind and state, in the order of the kinds, with the first due moment.
 * - `queues` does not count tasks that work on a hidden object.
 * - `visibleFiles` counts the objects of all owners and the bytes of their current versions, without hidden ones.
 */
export interface InstallationCounts {
  queues(): Promise<readonly QueueDepth[]>;
  visibleFiles(): Promise<VisibleFiles>;
}

/** The last backup that was completed. */
export interface BackupReport {
  readonly at: Instant;
  readonly bytes: number;
  readonly files: number;
  /** Files that were missing or damaged in it. */
  readonly damaged: number;
}

export interface DrillResult {
  readonly name: string;
  readonly profile: string;
  readonly hasPassed: boolean;
}

/** The last run of the fault-injection drills. */
export interface DrillReport {
  readonly at: Instant;
  readonly results: readonly DrillResult[];
  /** Number of drills that this machine could not run. */
  readonly skipped: number;
}

/** The program and the machine of an installation. */
export interface InstallationFacts {
  readonly version: string;
  /** Version of the database schema; null without a database. */
  readonly schema: number | null;
  readonly profile: string;
  /** Version of Node.js. */
  readonly runtime: string;
  readonly startedAt: Instant;
  readonly storedIn: 'folder' | 'bucket' | 'memory';
}

/** What is known of an installation besides its rows. A report that is missing or unreadable is null. */
export interface InstallationReports {
  facts(): InstallationFacts;
  /** Free space where the files are stored; null where that is unknown, such as in a bucket. */
  freeBytes(): Promise<number | null>;
  lastBackup(): Promise<BackupReport | null>;
  lastDrills(): Promise<DrillReport | null>;
}
