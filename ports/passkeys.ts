import type { Passkey } from './sign-in.ts';

/** A JSON object of the WebAuthn API, passed between browser and verifier as it is. */
export type WebAuthnJson = Readonly<Record<string, unknown>>;

export interface RegistrationInput {
  /** base64url. */
  readonly challenge: string;
  /** The user handle: base64url of at most 64 bytes. */
  readonly userId: string;
  readonly userName: string;
  /** Credentials that the authenticator must not register again. */
  readonly existing: readonly Pick<Passkey, 'credentialId' | 'transports'>[];
}

export type RegisteredPasskey = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackupEligible' | 'isBackedUp'
>;

/** What an answer says about itself. Nothing of it is verified. */
export interface PasskeyClaims {
  /** base64url. */
  readonly challenge: string;
  /** base64url. */
  readonly credentialId: string;
  /** base64url; undefined if the authenticator did not send it. */
  readonly userHandle: string | undefined;
}

/** What an authenticator signed; the caller decides about the counter. */
export interface VerifiedAssertion {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/**
 * WebAuthn ceremonies of the relying party (Web Authentication level 3, §7). User verification is required, attestation is
 * not requested, credentials are discoverable. Relying party id and origin are those of the public address.
 *
 * Contract (contract-tests/suites/passkey-verifier.ts):
 * - What an authenticator makes of `registrationOptions` is accepted by `verifyRegistration` with the same challenge,
 *   and by no other.
 * - An assertion is accepted by `verifyAssertion` with the same challenge and the registered key, and by no other.
 * - An answer for another origin or relying party, or without user verification, is rejected.
 * - A malformed answer is rejected like a wrong one: the result is undefined.
 * - An assertion names the challenge, the credential and the user handle that it was made with.
 * - A certificate of the authenticator's manufacturer is rejected, and nothing is fetched to check it.
 */
export interface PasskeyVerifier {
  /** False if the public address cannot have passkeys: an IP address, or `http` on a host other than localhost. */
  isAvailable(): boolean;
  registrationOptions(input: RegistrationInput): Promise<WebAuthnJson>;
  verifyRegistration(
    response: WebAuthnJson,
    challenge: string,
  ): Promise<RegisteredPasskey | undefined>;
  assertionOptions(challenge: string): Promise<WebAuthnJson>;
  /** What an answer says about itself, to find what it is verified with; undefined for a malformed one. */
  claimsOf(response: WebAuthnJson): PasskeyClaims | undefined;
  /** A counter that went back is reported as it is. */
  verifyAssertion(
    response: WebAuthnJson,
    challenge: string,
    passkey: Passkey,
  ): Promise<VerifiedAssertion | undefined>;
}
