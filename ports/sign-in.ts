import type { Instant } from './runtime.ts';

export const SIGN_IN_METHODS = ['link', 'passkey', 'password', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A browser in which an owner is signed in. Its secret exists only as a digest. */
export interface Session {
  readonly id: string;
  /** Unique across owners. */
  readonly digest: string;
  /** How the owner signed in most recently. */
  readonly method: SignInMethod;
  readonly createdAt: Instant;
  /** The most recent sign-in of this session: dangerous operations require a recent one. */
  readonly signedInAt: Instant;
  /** Rounded down to the minute. */
  readonly lastUsedAt: Instant;
  /** From this moment on it is not accepted, however recently it was used. */
  readonly expiresAt: Instant;
  /** The client's network, /24 or /48. */
  readonly network: string;
  /** Browser and system in words. */
  readonly client: string;
}

/** Adding one more ends the one that was used least recently. */
export const MAX_SESSIONS = 100;

/** Pairs of network and client of an owner. One more replaces the one that signed in least recently. */
export const MAX_KNOWN_CLIENTS = 1_000;

/**
 * The sessions of one owner.
 *
 * Contract (contract-tests/suites/session-store.ts):
 * - A saved session is found by its id, field for field, and replaced by a later save.
 * - `page` lists sessions by their last use, latest first, then by id, descending, with the full total.
 * - At most `MAX_SESSIONS` are stored: saving one more drops the one of the others that was used least recently.
 * - `recordUse` stores the last use of a session and its network, and changes nothing for a missing one.
 * - `remove` returns whether the session existed.
 * - `removeOthers` removes all sessions but one, or all, and returns the ids of the removed.
 * - `removeExpired` removes sessions that expired before the moment, or were last used before the second.
 * - `isKnownClient` returns whether a session was ever saved with this network and client, also after it was removed.
 *   The latest `MAX_KNOWN_CLIENTS` are known.
 */
export interface SessionStore {
  find(id: string): Promise<Session | undefined>;
  page(limit: number, offset: number): Promise<{ items: readonly Session[]; total: number }>;
  save(session: Session): Promise<void>;
  recordUse(id: string, at: Instant, network: string): Promise<void>;
  remove(id: string): Promise<boolean>;
  removeOthers(exceptId: string | null): Promise<readonly string[]>;
  removeExpired(before: Instant, unusedSince: Instant): Promise<number>;
  isKnownClient(network: string, client: string): Promise<boolean>;
}

/** A WebAuthn credential (Web Authentication level 3, §4). */
export interface Passkey {
  readonly id: string;
  /** base64url. Unique across owners. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether the authenticator may have copies of it, and whether it has. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

export const MAX_PASSKEYS = 20;

/** The account of an OpenID Connect provider that an owner signs in with. The pair is unique across owners. */
export interface OidcLink {
  readonly issuer: string;
  readonly subject: string;
  readonly linkedAt: Instant;
}

/** A password. Its hash is sealed with the installation's key, so that a backup allows no guesses. */
export interface StoredPassword {
  readonly sealedHash: string;
  readonly setAt: Instant;
}

/**
 * How one owner signs in.
 *
 * Contract (contract-tests/suites/sign-in-method-store.ts):
 * - The password is the one last stored; null removes it.
 * - The link is the one last stored; null removes it. `linkOidc` returns `false` and stores nothing if another owner has
 *   the subject.
 * - A passkey that was added is found by its id, field for field, and replaced by `savePasskey`. `addPasskey` returns
 *   `false` and stores nothing if any owner has the credential.
 * - `passkeys` lists all, earliest first, then by id.
 * - `removePasskey` returns whether it existed.
 */
export interface SignInMethodStore {
  password(): Promise<StoredPassword | undefined>;
  setPassword(password: StoredPassword | null): Promise<void>;
  oidc(): Promise<OidcLink | undefined>;
  linkOidc(link: OidcLink): Promise<boolean>;
  unlinkOidc(): Promise<boolean>;
  passkeys(): Promise<readonly Passkey[]>;
  findPasskey(id: string): Promise<Passkey | undefined>;
  addPasskey(passkey: Passkey): Promise<boolean>;
  savePasskey(passkey: Passkey): Promise<void>;
  removePasskey(id: string): Promise<boolean>;
}

export const ONE_TIME_PURPOSES = [
  'link',
  'passkey-sign-in',
  'passkey-registration',
  'oidc',
] as const;
export type OneTimePurpose = (typeof ONE_TIME_PURPOSES)[number];

/** A secret that is accepted once: a sign-in link, a WebAuthn challenge, a state of OpenID Connect. */
export interface OneTimeSecret {
  /** Digest of the secret; the secret is not stored. */
  readonly digest: string;
  readonly purpose: OneTimePurpose;
  /** null if it does not belong to an owner. */
  readonly ownerId: string | null;
  /** What the second step needs of the first; '' for nothing. */
  readonly payload: string;
  readonly expiresAt: Instant;
}

/** Of each purpose. Adding one more drops the one that expires first: requests cannot fill the table. */
export const MAX_ONE_TIME_SECRETS = 10_000;

/**
 * One-time secrets of the installation. They are no part of a backup.
 *
 * Contract (contract-tests/suites/one-time-secrets.ts):
 * - `consume` returns a secret once, to one of any number of concurrent callers, and never after it has expired.
 * - A secret of another purpose is not returned, and is still there afterwards.
 * - At most `limit` of a purpose are stored: adding one more drops the one of the others that expires first.
 * - At most `limitOfOwner` of a purpose and an owner are stored, in the same way.
 * - `removeOf` removes those of an owner and a purpose, `removeExpired` those that expired before the moment.
 */
export interface OneTimeSecrets {
  add(secret: OneTimeSecret, limit?: number, limitOfOwner?: number): Promise<void>;
  consume(
    digest: string,
    purpose: OneTimePurpose,
    now: Instant,
  ): Promise<OneTimeSecret | undefined>;
  removeOf(ownerId: string, purpose: OneTimePurpose): Promise<void>;
  removeExpired(before: Instant): Promise<void>;
}

/** The wrong passwords of one network for an account name, or of all networks together. */
export interface SignInAttemptRecord {
  /** The times of the attempts, earliest first; limited in number. */
  readonly attemptTimes: readonly Instant[];
  /** When the reserved attempt begins; for all networks, the latest reservation. null for none. */
  readonly reservedAt: Instant | null;
  /** From this moment on the record is not needed. */
  readonly expiresAt: Instant;
}

export interface SignInAttemptPair {
  readonly own: SignInAttemptRecord | undefined;
  readonly all: SignInAttemptRecord | undefined;
}

/**
 * Failed sign-ins by account name, also of names that do not exist: a name that is counted differently would reveal whether
 * it exists. They are no part of a backup.
 *
 * Contract (contract-tests/suites/sign-in-attempts.ts):
 * - `update` replaces both records by those that `change` returns: an absent one is removed. Without `next` nothing is
 *   changed. `read` returns both.
 * - Overlapping updates of one account end as if one had run after the other, in any number of processes.
 * - A record without attempts and without a reservation is not stored.
 * - `removeExpired` removes records that expired before the moment, at most `limit`.
 */
export interface SignInAttempts {
  /** `account` and `network` are digests. `change` is pure and may be called again. */
  update<T>(
    account: string,
    network: string,
    change: (pair: SignInAttemptPair) => { readonly next?: SignInAttemptPair; readonly result: T },
  ): Promise<T>;
  read(account: string, network: string): Promise<SignInAttemptPair>;
  removeExpired(before: Instant, limit: number): Promise<void>;
}
