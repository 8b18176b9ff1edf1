import type { RoleLimits, Owner, Tenant, Token } from '../../ports/identity.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';

/** Who asks, as established by the identity module, and what came along with the request. */
export interface Caller {
  readonly scope: OwnerScope;
  readonly tenant: Tenant;
  readonly owner: Owner;
  readonly token: Token;
  readonly limits: RoleLimits;
  /** The unlock token of the hidden zone, as sent. */
  readonly hiddenToken?: string;
  /** Set when the request carried an idempotency key and is the first to do so. */
  readonly receipt?: PendingReceipt;
}

/** A promise to keep the answer in the transaction of the effect. */
export interface PendingReceipt {
  readonly key: string;
  readonly fingerprint: string;
  /** The sealed answer for a use case's result. */
  answerTo(result: unknown): string;
}
