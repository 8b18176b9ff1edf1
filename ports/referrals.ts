import type { Instant } from './runtime.ts';

/** The referrer whose code an owner has applied. */
export interface Application {
  readonly referrerId: string;
  readonly appliedAt: Instant;
}

/** An owner who has applied this owner's code. */
export interface Credit {
  readonly invitedId: string;
  readonly creditedAt: Instant;
}

/**
 * The referral code of one owner, the code the owner has applied, and the credited owners.
 *
 * Contract (contract-tests/suites/referral-store.ts):
 * - There is no code at first. The first one stored is final.
 * - `apply` accepts only the first application, however many are concurrent. `applied` returns it.
 * - `credit` accepts each invited owner once; `invited` counts them.
 * - Another owner's codes, applications and credits are out of reach.
 */
export interface ReferralStore {
  code(): Promise<string | undefined>;
  /** False if there is one already. A code of another owner is an error. */
  saveCode(code: string): Promise<boolean>;
  applied(): Promise<Application | undefined>;
  /** False if there is one already. */
  apply(application: Application): Promise<boolean>;
  /** False if that owner was credited before. */
  credit(credit: Credit): Promise<boolean>;
  invited(): Promise<number>;
}
