import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/**
 * An authenticator and its browser in software (Web Authentication level 3, §6): keys and signatures are real. A spec
 * changes single fields of what it signs, to make answers that a verifier must reject.
 */
export class SoftwareAuthenticator {
  readonly origin: string;
  readonly #algorithm: Algorithm;
  readonly #credentials = new Map<string, Credential>();
  /** The counter of signatures; null for an authenticator that has none and always sends 0. */
  counter: number | null;
  isBackupEligible = false;
  isBackedUp = false;

  constructor(origin: string, algorithm: Algorithm = 'ES256', counter: number | null = 0) {
    this.origin = origin;
    this.#algorithm = algorithm;
    this.counter = counter;
  }

  /** `navigator.credentials.create`, with the options as JSON. */
  create(options: CreationOptions, changes: Changes = {}): RegistrationJson {
    const { privateKey, coseKey } = newKey(this.#algorithm);
    const id = changes.credentialId ?? randomBytes(32);
    const rpId = changes.rpId ?? options.rp.id;
    const credential = { id, rpId, userHandle: options.user.id, privateKey };
    this.#credentials.set(id.toString('base64url'), credential);
    const authData = this.#authenticatorData(rpId, changes, {
      flag: ATTESTED,
      bytes: Buffer.concat([
        Buffer.alloc(16),
        uint16(id.length),
        id,
        encode(changes.coseKey ?? coseKey),
      ]),
    });
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, changes);
    const attStmt = changes.attStmt?.(
      Buffer.concat([authData, sha256(clientDataJSON)]),
      privateKey,
    );
    const attestation = encode(
      new Map<string, unknown>([
        ['fmt', changes.format ?? 'none'],
        ['attStmt', attStmt ?? new Map()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return {
      ...frame(id),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestation
          .subarray(0, attestation.length - (changes.truncated ?? 0))
          .toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /** `navigator.credentials.get`: uses the credential of the relying party that was created last. */
  get(options: RequestOptions, changes: Changes = {}): AssertionJson {
    const known = [...this.#credentials.values()].filter(({ rpId }) => rpId === options.rpId);
    const credential = known.at(-1);
    if (!credential) throw new Error(`No credential for ${options.rpId}.`);
    const signed = this.#authenticatorData(changes.rpId ?? options.rpId, changes);
    const authData = signed.subarray(0, signed.length - (changes.truncated ?? 0));
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, changes);
    const data = Buffer.concat([authData, sha256(clientDataJSON)]);
    return {
      ...frame(changes.credentialId ?? credential.id),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signWith(changes.key ?? credential.privateKey, data).toString('base64url'),
        userHandle: changes.userHandle ?? credential.userHandle,
      },
    };
  }

  #authenticatorData(rpId: string, changes: Changes, attested?: { flag: number; bytes: Buffer }) {
    if (this.counter !== null) this.counter++;
    const flags =
      (changes.isUserPresent === false ? 0 : USER_PRESENT) |
      (changes.isUserVerified === false ? 0 : USER_VERIFIED) |
      (this.isBackupEligible ? BACKUP_ELIGIBLE : 0) |
      (this.isBackedUp ? BACKED_UP : 0) |
      (attested?.flag ?? 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(changes.counter ?? this.counter ?? 0);
    return Buffer.concat([
      sha256(Buffer.from(rpId)),
      Buffer.of(flags),
      counter,
      attested?.bytes ?? Buffer.alloc(0),
    ]);
  }

  #clientData(type: string, challenge: string, changes: Changes): Buffer {
    const clientData = {
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? this.origin,
      crossOrigin: changes.crossOrigin ?? false,
    };
    return Buffer.from(changes.clientData ?? JSON.stringify(clientData));
  }
}

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384';

/** What differs from an honest answer. */
export interface Changes {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** Instead of the JSON of the client data. */
  readonly clientData?: string;
  readonly isUserPresent?: boolean;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  readonly credentialId?: Buffer;
  readonly userHandle?: string;
  readonly key?: KeyObject;
  readonly coseKey?: CoseKey;
  readonly format?: string;
  readonly attStmt?: (data: Buffer, key: KeyObject) => Map<string, unknown>;
  /** So many bytes are missing at the end. */
  readonly truncated?: number;
}

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

interface Frame {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
}

export interface RegistrationJson extends Frame, Record<string, unknown> {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
}

export interface AssertionJson extends Frame, Record<string, unknown> {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

interface Credential {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
}

type CoseKey = Map<number, number | Uint8Array>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;

const KINDS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} as const;

/** A key pair, and its public key in COSE form (RFC 9053 §7). */
export function newKey(algorithm: Algorithm): {
  readonly privateKey: KeyObject;
  readonly coseKey: CoseKey;
} {
  const { publicKey, privateKey } = KINDS[algorithm]();
  const jwk = publicKey.export({ format: 'jwk' });
  const part = (value: unknown) => new Uint8Array(Buffer.from(String(value), 'base64url'));
  const coseKey: Record<Algorithm, () => [number, number | Uint8Array][]> = {
    ES256: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(jwk.x)],
      [-3, part(jwk.y)],
    ],
    ES384: () => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, part(jwk.x)],
      [-3, part(jwk.y)],
    ],
    EdDSA: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part(jwk.x)],
    ],
    RS256: () => [
      [1, 3],
      [3, -257],
      [-1, part(jwk.n)],
      [-2, part(jwk.e)],
    ],
  };
  return { privateKey, coseKey: new Map(coseKey[algorithm]()) };
}

export const signWith = (key: KeyObject, data: Buffer): Buffer =>
  sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key);

export const encode = (value: unknown): Buffer =>
  Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]));

const frame = (id: Buffer): Frame => {
  const encoded = id.toString('base64url');
  return { id: encoded, rawId: encoded, type: 'public-key', clientExtensionResults: {} };
};

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
