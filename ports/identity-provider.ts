import type { Instant } from './runtime.ts';

/** What the second step of a sign-in needs of the first. It is stored sealed, never sent to the browser. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** Maximum number of values that are read from the role claim. */
export const MAX_ROLE_VALUES = 100;

export interface OidcSubject {
  /** As `IdentityProvider.issuer`. */
  readonly issuer: string;
  /** 1 to 255 characters of printable ASCII. */
  readonly subject: string;
  /** For display only: never identifies an account. Not cleaned. */
  readonly name: string | null;
  /** Values of the claim named by the operator: one text, or those of a list. */
  readonly roles: readonly string[];
  /** When the person proved to the provider who they are; null if the provider does not say so. */
  readonly authenticatedAt: Instant | null;
}

export interface OidcRequest {
  readonly redirectUri: string;
  /** Whether the person has to prove again who they are, although the provider knows them from an earlier sign-in. */
  readonly needsLogin: boolean;
}

/**
 * - `denied`: the person, or the provider on behalf of the operator, refused.
 * - `rejected`: the answer is wrong, expired or was replayed.
 * - `unavailable`: no answer in time.
 */
export type IdentityProviderErrorKind = 'denied' | 'rejected' | 'unavailable';

/** The provider did not answer, or what it answered cannot be trusted. `reason` is for the log; it holds no secret. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
  readonly kind: IdentityProviderErrorKind;
  constructor(kind: IdentityProviderErrorKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

/**
 * An OpenID Connect provider (OpenID Connect Core 1.0, code flow with PKCE, state and nonce).
 *
 * Contract (contract-tests/suites/identity-provider.ts):
 * - `begin` returns an address at the issuer and a flow that no other call returns; `finish` with that flow and the
 *   issuer's answer returns the subject.
 * - An answer with another state, nonce, issuer or audience is rejected.
 * - An expired, unsigned or altered ID token, or one signed with a key that the issuer does not publish, is rejected.
 * - A replayed code is rejected.
 * - An error of the provider is rejected, and a refusal is `denied`.
 * - A key that the provider rotated in is accepted without a restart, and a removed one is rejected.
 * - A provider that does not answer within the deadline rejects as `unavailable`, and is used again once it answers.
 * - Name and roles are those that the provider has of the subject.
 * - With `needsLogin` the provider authenticates the person again, and says when; else it need not.
 */
export interface IdentityProvider {
  /** Shown on the button. */
  readonly name: string;
  /** In one spelling, since accounts are known by it. */
  readonly issuer: string;
  begin(request: OidcRequest): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /** `callbackUrl` is the address that the browser was sent to, with its query. Throws IdentityProviderError. */
  finish(callbackUrl: string, flow: OidcFlow): Promise<OidcSubject>;
}
