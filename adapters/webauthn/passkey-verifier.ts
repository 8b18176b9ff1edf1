import type {
  PasskeyVerifier,
  RegisteredPasskey,
  RegistrationInput,
  VerifiedAssertion,
  WebAuthnJson,
} from '../../ports/passkeys.ts';
import type { Passkey } from '../../ports/sign-in.ts';
import { ALGORITHMS, assertionOptions, registrationOptions } from './ceremony-options.ts';
import { relyingPartyAt, type RelyingParty } from './relying-party.ts';
import { claimsOf, readAssertion, readRegistration } from './responses.ts';

/** Loads the library on the first answer: it takes 14 MB, and most processes never verify a passkey. */
let library: ReturnType<typeof loadLibrary> | undefined;

async function loadLibrary() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
}

function requireLibrary(): ReturnType<typeof loadLibrary> {
  library ??= loadLibrary().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return library;
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Verifies with @simplewebauthn/server. `address` is the public address; it may change until the service listens. */
export function webAuthnVerifier(address: () => string): PasskeyVerifier {
  const relyingParty = () => relyingPartyAt(address());
  const required = (): RelyingParty => {
    const known = relyingParty();
    if (!known) throw new Error('The public address cannot have passkeys.');
    return known;
  };
  return {
    isAvailable: () => relyingParty() !== undefined,
    registrationOptions: async (input: RegistrationInput) => registrationOptions(required(), input),
    assertionOptions: async (challenge) => assertionOptions(required(), challenge),
    claimsOf,
    verifyRegistration: (response, challenge) =>
      verifyRegistration(relyingParty(), response, challenge),
    verifyAssertion: (response, challenge, passkey) =>
      verifyAssertion(relyingParty(), response, challenge, passkey),
  };
}

async function verifyRegistration(
  relyingParty: RelyingParty | undefined,
  sent: WebAuthnJson,
  challenge: string,
): Promise<RegisteredPasskey | undefined> {
  const response = readRegistration(sent);
  if (!relyingParty || !response) return undefined;
  const library = await requireLibrary();
  return orUndefined(async () => {
    if (!isSelfContained(library, response.response.attestationObject)) return undefined;
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (credential.id !== response.id) return undefined;
    await requireUsableKey(library, credential.publicKey);
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      isBackupEligible: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    };
  });
}

/**
 * Whether an attestation proves nothing about the manufacturer: none, or signed with the credential itself (§6.5.3). To
 * check a certificate, the library would fetch revocation lists from addresses that the certificate names.
 */
function isSelfContained({ decodeAttestationObject, isoBase64URL }: Library, encoded: string) {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(encoded));
  const format = attestation.get('fmt');
  return (
    format === 'none' ||
    (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  );
}

/** The DER form of a signature, for keys of every algorithm a wrong one. */
const WRONG_SIGNATURE = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1);

/**
 * Rejects if no signature can be verified with the key. Without an attestation the library does not use it before the first
 * sign-in, and its CBOR reader accepts a key that is cut off.
 */
async function requireUsableKey(
  { verifySignature }: Library,
  credentialPublicKey: Parameters<Library['convertCOSEtoPKCS']>[0],
): Promise<void> {
  await verifySignature({
    signature: WRONG_SIGNATURE,
    data: new Uint8Array(),
    credentialPublicKey,
  });
}

async function verifyAssertion(
  relyingParty: RelyingParty | undefined,
  sent: WebAuthnJson,
  challenge: string,
  passkey: Passkey,
): Promise<VerifiedAssertion | undefined> {
  const response = readAssertion(sent);
  if (!relyingParty || response?.id !== passkey.credentialId) return undefined;
  const { verifyAuthenticationResponse } = await requireLibrary();
  return orUndefined(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // The caller compares it with the stored one, in the transaction that stores the new one.
        counter: 0,
      },
    });
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
    const isBackupEligible = credentialDeviceType === 'multiDevice';
    // §7.2: eligibility never changes during the life of a credential.
    if (!verified || isBackupEligible !== passkey.isBackupEligible) return undefined;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  });
}

/** The library throws for every rejected answer, malformed ones included. */
async function orUndefined<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
