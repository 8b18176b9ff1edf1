import type { Instant } from './time-and-ids.ts';

/**
 * Whoever copies blobs that rows spoke of a while ago holds on to all of them: until the hold is let go of, or was not
 * prolonged for too long because its holder died, none is removed. A hold is taken before the rows are looked at: what
 * was about to be removed by then has no row any more.
 *
 * Contract (contract-tests/suites/blob-holds.ts):
 * - Blobs are held from the moment a hold is taken until it is let go of.
 * - A hold that is not prolonged ends at its moment, and can not be prolonged from then on.
 * - Of several holds each lasts for itself.
 */
export interface BlobHolds {
  take(holdId: string, until: Instant): Promise<void>;
  /** Answers false when it had ended. */
  prolong(holdId: string, now: Instant, until: Instant): Promise<boolean>;
  /** Once is as good as twice. Holds that ended before `now` go with it. */
  letGo(holdId: string, now: Instant): Promise<void>;
  /** Whether anybody holds on to them. */
  areHeld(now: Instant): Promise<boolean>;
}
