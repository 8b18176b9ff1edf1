import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { RegistrationInput, WebAuthnJson } from '../../ports/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE algorithms: ES256, EdDSA, RS256. Every authenticator has one of them. */
export const ALGORITHMS: readonly number[] = [-7, -8, -257];

const CEREMONY_MS = 300_000;
const PRODUCT = 'Owner Workspace';

// Made here, and not by the library that verifies the answers: every view of a sign-in page requests options, also in a
// service without passkeys, and the library takes 14 MB.

/** The options of `navigator.credentials.create`, as JSON. */
export function registrationOptions(
  { id }: RelyingParty,
  { challenge, userId, userName, existing }: RegistrationInput,
): WebAuthnJson {
  const options: PublicKeyCredentialCreationOptionsJSON = {
    challenge,
    rp: { id, name: PRODUCT },
    user: { id: userId, name: userName, displayName: userName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CEREMONY_MS,
    attestation: 'none',
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports] as never[],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
  return { ...options };
}

/** The options of `navigator.credentials.get`, as JSON. No credential is named: the authenticator offers those it has. */
export function assertionOptions({ id }: RelyingParty, challenge: string): WebAuthnJson {
  const options: PublicKeyCredentialRequestOptionsJSON = {
    challenge,
    rpId: id,
    allowCredentials: [],
    timeout: CEREMONY_MS,
    userVerification: 'required',
  };
  return { ...options };
}
