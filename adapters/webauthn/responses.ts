import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyClaims, WebAuthnJson } from '../../ports/passkeys.ts';

/**
 * The answer of an authenticator as it arrives from the network: any JSON object. Only the fields that are verified are
 * read, each with its type, so that the library never sees another shape.
 */
interface SentResponse {
  readonly claims: PasskeyClaims;
  readonly clientDataJSON: string;
  /** The fields of the inner response. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** 32 bytes. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** 1023 bytes (Web Authentication level 3, §4: Credential ID). */
const MAX_CREDENTIAL_ID_LENGTH = 1_364;
/** 64 bytes. */
const MAX_USER_HANDLE_LENGTH = 86;
const MAX_TRANSPORTS = 8;
const TRANSPORT = /^[a-z][a-z-]{0,31}$/;

export const claimsOf = (response: WebAuthnJson): PasskeyClaims | undefined =>
  read(response)?.claims;

export function readRegistration(response: WebAuthnJson): RegistrationResponseJSON | undefined {
  const sent = read(response);
  const attestationObject = encoded(sent?.fields['attestationObject']);
  if (!sent || attestationObject === undefined) return undefined;
  const { claims, clientDataJSON, fields } = sent;
  const transports = transportsIn(fields['transports']);
  return { ...frameOf(claims), response: { clientDataJSON, attestationObject, transports } };
}

export function readAssertion(response: WebAuthnJson): AuthenticationResponseJSON | undefined {
  const sent = read(response);
  const authenticatorData = encoded(sent?.fields['authenticatorData']);
  const signature = encoded(sent?.fields['signature']);
  if (!sent || authenticatorData === undefined || signature === undefined) return undefined;
  const { claims, clientDataJSON } = sent;
  return { ...frameOf(claims), response: { clientDataJSON, authenticatorData, signature } };
}

const frameOf = ({ credentialId }: PasskeyClaims) => ({
  id: credentialId,
  rawId: credentialId,
  type: 'public-key' as const,
  clientExtensionResults: {},
});

function read(response: WebAuthnJson): SentResponse | undefined {
  const { id, rawId, type } = response;
  if (type !== 'public-key' || rawId !== id) return undefined;
  const credentialId = encoded(id, MAX_CREDENTIAL_ID_LENGTH);
  const fields = objectIn(response['response']);
  const clientDataJSON = encoded(fields?.['clientDataJSON']);
  if (credentialId === undefined || !fields || clientDataJSON === undefined) return undefined;
  const clientData = parseClientData(clientDataJSON);
  const challenge = clientData?.['challenge'];
  if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) return undefined;
  // The pages of the service are not embedded, so no ceremony begins in a frame of another origin.
  if (clientData?.['crossOrigin'] === true) return undefined;
  const sentHandle = fields['userHandle'] ?? undefined;
  const userHandle = encoded(sentHandle, MAX_USER_HANDLE_LENGTH);
  if (sentHandle !== undefined && userHandle === undefined) return undefined;
  return { claims: { challenge, credentialId, userHandle }, clientDataJSON, fields };
}

function parseClientData(clientDataJSON: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectIn(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}

const encoded = (value: unknown, maxLength = Infinity): string | undefined =>
  typeof value === 'string' && value.length <= maxLength && BASE64URL.test(value)
    ? value
    : undefined;

const objectIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/**
 * Hints for the browser on how to reach the authenticator, unknown ones included (§5.2.1.1). Nothing depends on them, so
 * unusable values are dropped.
 */
const transportsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? [
        ...new Set(
          value.filter((each): each is string => typeof each === 'string' && TRANSPORT.test(each)),
        ),
      ].slice(0, MAX_TRANSPORTS)
    : [];
