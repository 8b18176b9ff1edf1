import type { RoleLimits, Owner, Tenant, Token } from '../../ports/identity.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';

/** The authenticated caller, as established by the identity module, with request metadata. */
export interface Caller {
  readonly scope: OwnerScope;
  readonly tenant: Tenant;
  readonly owner: Owner;
  readonly token: Token;
  readonly limits: RoleLimits;
  /** The unlock token of the hidden zone, as sent. */
  readonly hiddenToken?: string;
  /** Set if the request has an idempotency key and is the first with it. */
  readonly receipt?: PendingIdempotencyRecord;
}

/** Obliges the use case to store the response in the transaction of the effect. */
export interface PendingIdempotencyRecord {
  readonly key: string;
  readonly fingerprint: string;
  /** The sealed response for a use case's result. */
  answerTo(result: unknown): string;
}
