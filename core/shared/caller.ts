import type { RoleLimits, Owner, Tenant, Token, TokenScope } from '../../ports/identity.ts';
import type { Session } from '../../ports/sign-in.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';

/** What identified the caller: a bearer token of a program, or the session of a browser. */
export type Credential =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'session'; readonly session: Session };

/** Where a request comes from, as the adapter knows it. */
export interface Client {
  /** IP address; '' if there is none. */
  readonly address: string;
  /** `User-Agent` as sent; '' without it. */
  readonly userAgent: string;
}

/** The authenticated caller, as established by the identity module, with request metadata. */
export interface Caller {
  /** Bound to the folders of the credential, if it is. */
  readonly scope: OwnerScope;
  readonly tenant: Tenant;
  readonly owner: Owner;
  readonly credential: Credential;
  /** What the caller may do: see `requireScope`. */
  readonly scopes: ReadonlySet<TokenScope>;
  /** Whether its questions are stored as conversations. A token with `access: read` leaves no trace. */
  readonly mayStoreHistory: boolean;
  readonly client: Client;
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
