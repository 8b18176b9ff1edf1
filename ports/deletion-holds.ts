import type { Instant } from './runtime.ts';

/**
 * A hold prevents the deletion of every blob, so that a backup can copy blobs whose rows it read earlier. It ends
 * when it is released, or when its lease expires because its holder died. A hold is acquired before the rows are
 * read. Blobs whose deletion had begun by then have no row any more.
 *
 * Contract (contract-tests/suites/deletion-holds.ts):
 * - Blobs are held from the acquisition of a hold until its release.
 * - A hold that is not renewed ends when its lease expires, and cannot be renewed afterwards.
 * - Each of several holds lasts independently of the others.
 */
export interface DeletionHolds {
  acquire(holdId: string, until: Instant): Promise<void>;
  /** Returns false if the hold had ended. */
  renew(holdId: string, now: Instant, until: Instant): Promise<boolean>;
  /** Idempotent. Also removes holds that ended before `now`. */
  release(holdId: string, now: Instant): Promise<void>;
  /** Whether any hold is active. */
  anyActive(now: Instant): Promise<boolean>;
}
