import type { Instant } from './time-and-ids.ts';

/** Whose code an owner has applied. */
export interface Application {
  readonly referrerId: string;
  readonly appliedAt: Instant;
}

/** Somebody who has applied the code of an owner. */
export interface Credit {
  readonly invitedId: string;
  readonly creditedAt: Instant;
}

/**
 * The referral code of one owner, the one that the owner has applied, and who was credited for it.
 *
 * Contract (contract-tests/suites/referral-store.ts):
 * - There is no code until one is kept, and the first one kept stays.
 * - `apply` takes the first application and no other, however many come at once; `applied` gives it back.
 * - `credit` takes each of the invited once; `invited` counts them.
 * - Another owner's codes, applications and credits are out of reach.
 */
export interface ReferralStore {
  code(): Promise<string | undefined>;
  /** False when there was one already. A code that another owner has is an error. */
  keepCode(code: string): Promise<boolean>;
  applied(): Promise<Application | undefined>;
  /** False when there was one already. */
  apply(application: Application): Promise<boolean>;
  /** False when that one was credited before. */
  credit(credit: Credit): Promise<boolean>;
  invited(): Promise<number>;
}
