import type { Instant } from './time-and-ids.ts';

/**
 * A hold prevents the deletion of every blob, so that a backup can copy blobs whose rows it read earlier. It ends
 * when it is released, or when its lease expires because its holder died. A hold is acquired before the rows are
 * read. Blobs whose deletion had begun by then have no row any more.
 *
 * Contract (contract-tests/suites/blob-holds.ts):
 * - Blobs are held from the acquisition of a hold until its release.
 * - A hold that is not renewed ends when its lease expires, and cannot be renewed afterwards.
 * - Each of several holds lasts independently of the others.
 */
export interface BlobHolds {
  take(holdId: string, until: Instant): Promise<void>;
  /** Returns false if the hold had ended. */
  prolong(holdId: string, now: Instant, until: Instant): Promise<boolean>;
  /** Idempotent. Also removes holds that ended before `now`. */
  letGo(holdId: string, now: Instant): Promise<void>;
  /** Whether any hold is active. */
  areHeld(now: Instant): Promise<boolean>;
}
