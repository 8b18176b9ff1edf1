import type { Instant } from './time-and-ids.ts';

export const OFFICE_KINDS = ['word', 'cell', 'slide'] as const;
/** What the editor is loaded as: text, table or slides. */
export type OfficeKind = (typeof OFFICE_KINDS)[number];

/** What is said in a signed token, as JSON has it. */
export type Claims = Readonly<Record<string, unknown>>;

/** How one question to the engine ended; `reason` is a sentence for a person, without a secret and an address. */
export type EngineAnswer =
  { readonly ok: true; readonly detail: string } | { readonly ok: false; readonly reason: string };

/** How the engine did with a document that it was to fetch from an address of ours. */
export type EngineFetch =
  /** It says that it read and converted it. */
  | 'done'
  /** It says that it could not have it. */
  | 'out of reach'
  /** It has no such service, or said nothing that tells. */
  | 'unknown';

export interface DownloadBounds {
  readonly maxBytes: number;
  /** Silence after which it is given up. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The file was not to be had. The message is a sentence for a person, without the address. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
  /** `elsewhere`: it does not lie with the engine. `failed`: whatever else went wrong on the way. */
  readonly why: 'elsewhere' | 'failed';
  constructor(message: string, why: 'elsewhere' | 'failed' = 'failed') {
    super(message);
    this.why = why;
  }
}

/**
 * The document server that browsers load the editor from (the published interface of ONLYOFFICE Docs). Slow, so never
 * called inside a unit of work.
 *
 * Contract (contract-tests/suites/office-engine.ts):
 * - `reach` is ok while the engine says that it is healthy, and tells in a sentence when it is not, is silent or is not there.
 * - `sign` makes a token that the engine's own secret verifies, with HS256 alone, the claims as they are, and an end.
 * - `verify` gives the claims of a token of the engine, and nothing for one that is forged, expired, from the future, or signed in any other way.
 * - A saved file comes byte for byte.
 * - Nothing is fetched from another origin than the engine's, by whatever spelling or redirect, and nothing connects to it.
 * - A file that is cut short, too long, too slow or refused rejects with DownloadRefused.
 * - `agree` is ok when both have the same secret, and tells when they have not.
 * - `fetches` tells whether the engine could have a document at an address.
 * - `close` makes what is under way, and everything later, reject with PortFailure.
 */
export interface OfficeEngine {
  reach(timeMs: number): Promise<EngineAnswer>;
  /** HS256 over the claims, with `iat`, and `exp` so many seconds later. */
  sign(claims: Claims, seconds: number): Promise<string>;
  verify(token: string): Promise<Claims | undefined>;
  /** The bytes of a file that the engine has saved. Rejects on the first step, or on the way, with DownloadRefused. */
  download(url: string, bounds: DownloadBounds): AsyncIterable<Uint8Array>;
  agree(timeMs: number): Promise<EngineAnswer>;
  /** Has the engine fetch a plain text from `url`. `key` is new each time. */
  fetches(
    document: { readonly url: string; readonly key: string },
    timeMs: number,
  ): Promise<EngineFetch>;
  close(): Promise<void>;
}

/** Whether an address of this service can be reached from here. */
export interface OwnAddress {
  /** Asks whether the process is alive, by the address that others are given. */
  answers(baseUrl: string, timeMs: number): Promise<EngineAnswer>;
}

/** One document that the engine has under a key of its own, from when it was first opened to when it was closed. */
export interface OfficeSession {
  readonly objectId: string;
  /** Unguessable; the engine tells documents apart by it. */
  readonly key: string;
  /** The object's version whose bytes the engine was given. */
  readonly openedVersion: number;
  /** The version that what is edited goes on from: raised by what the session itself has saved. */
  readonly version: number;
  readonly state: 'open' | 'closed';
  /** Somebody was let in who may change it. */
  readonly editable: boolean;
  /** What was saved already, by digests of who said so and what it was; the latest ones. */
  readonly handled: readonly string[];
  /** What the owner was told of it, so as to be told once. */
  readonly told: readonly OfficeTrouble[];
  readonly createdAt: Instant;
  /** When it was last opened by somebody. */
  readonly usedAt: Instant;
}

/** `conflict`: saved over another version; `failed`: it could not be saved. */
export type OfficeTrouble = 'conflict' | 'failed';

/**
 * The office sessions of one owner.
 *
 * Contract (contract-tests/suites/office-session-store.ts):
 * - A session that was saved is found by its object and key, field for field, and replaced by what is saved under them later.
 * - `opened` gives the latest session of an object that is open and was opened at the version, and nothing once it is closed.
 * - `carry` moves the open sessions of an object that go on from a version to another one, and no others.
 * - `removeAll` takes the sessions of an object, `removeUnused` those last used before a moment, at most `limit`.
 * - Another owner's sessions are out of reach.
 */
export interface OfficeSessionStore {
  find(objectId: string, key: string): Promise<OfficeSession | undefined>;
  opened(objectId: string, version: number): Promise<OfficeSession | undefined>;
  save(session: OfficeSession): Promise<void>;
  carry(objectId: string, from: number, to: number): Promise<void>;
  removeAll(objectId: string): Promise<void>;
  removeUnused(before: Instant, limit: number): Promise<void>;
}
