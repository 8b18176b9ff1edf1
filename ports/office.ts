import type { Instant } from './runtime.ts';

export const OFFICE_KINDS = ['word', 'cell', 'slide'] as const;
/** Editor type: text, spreadsheet or presentation. */
export type OfficeKind = (typeof OFFICE_KINDS)[number];

/** The claims of a signed token, as JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** Result of a request to the document server; `reason` is a sentence for the user, without secrets and URLs. */
export type EngineResponse =
  { readonly ok: true; readonly detail: string } | { readonly ok: false; readonly reason: string };

/** How the document server fetched a document from a URL of this service. */
export interface EngineFetch {
  readonly result: EngineFetchResult;
  /** The converted document; undefined if the server offers none. */
  readonly converted: ConvertedDocument | undefined;
}

export interface ConvertedDocument {
  /** As named by the server; `download` accepts it. */
  readonly url: string;
  /** The address that the server gives itself, if it is not the configured one; '' for a path alone. */
  readonly elsewhere: string | undefined;
}

export type EngineFetchResult =
  /** It reports that it fetched and converted the document. */
  | 'done'
  /** It reports that it could not fetch the document. */
  | 'out of reach'
  /** It has no conversion service, or its response is inconclusive. */
  | 'unknown';

export interface DownloadOptions {
  readonly maxBytes: number;
  /** Maximum silence before the download is abandoned. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The file could not be downloaded. The message is a sentence for the user, without the URL. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/**
 * The document server that browsers load the editor from (the published API of ONLYOFFICE Docs). Slow, so never
 * called inside a unit of work.
 *
 * Contract (contract-tests/suites/office-engine.ts):
 * - `reach` is ok if the server reports that it is healthy, and otherwise returns a sentence: unhealthy, no response,
 *   or unreachable.
 * - `sign` creates a token that the server verifies with the shared secret: HS256, the claims unchanged, and an
 *   expiry.
 * - `verify` returns the claims of a token of the server, and nothing for one that is forged, expired, from the
 *   future, or signed with another algorithm.
 * - A saved file is returned byte for byte.
 * - A saved file is fetched at the configured address, whatever address the server gives itself: another scheme, host or
 *   port, a path alone, with or without the path prefix of the configured address, or by a redirect.
 * - Nothing is fetched from another origin than the configured one, by any spelling or redirect, and no connection to
 *   it is made.
 * - A file that is truncated, too long, too slow or rejected by the server rejects with DownloadError.
 * - `agree` is ok if both have the same secret, and reports a mismatch.
 * - `fetches` returns whether the server could fetch a document from a URL, and the address that the server gives itself.
 * - `close` makes current and later requests reject with UnavailableError.
 */
export interface OfficeEngine {
  reach(timeMs: number): Promise<EngineResponse>;
  /** HS256 over the claims, with `iat`, and `exp` after the given number of seconds. */
  sign(claims: Claims, seconds: number): Promise<string>;
  verify(token: string): Promise<Claims | undefined>;
  /**
   * The bytes of a file that the document server has saved. `url` is the server's name for it, of which path and query
   * are used. Rejects with DownloadError, on the first step or later.
   */
  download(url: string, bounds: DownloadOptions): AsyncIterable<Uint8Array>;
  agree(timeMs: number): Promise<EngineResponse>;
  /** Makes the document server fetch a plain text from `url`. `key` is new each time. */
  fetches(
    document: { readonly url: string; readonly key: string },
    timeMs: number,
  ): Promise<EngineFetch>;
  close(): Promise<void>;
}

/** Whether a URL of this service is reachable from here. */
export interface SelfReachability {
  /** Requests the liveness check through the public URL. */
  answers(baseUrl: string, timeMs: number): Promise<EngineResponse>;
}

/** One document that the document server has open under a key, from first opening to closing. */
export interface OfficeSession {
  readonly objectId: string;
  /** Unguessable. The document server identifies documents by it. */
  readonly key: string;
  /** The object version whose bytes the document server was given. */
  readonly openedVersion: number;
  /** The version that the edits are based on, increased by the session's own saves. */
  readonly version: number;
  readonly state: 'open' | 'closed';
  /** A user with write permission has joined. */
  readonly editable: boolean;
  /** Saves already processed, by digests of signer and content; the latest ones. */
  readonly processedSaves: readonly string[];
  /** Issues the owner has been notified of, so that each is notified once. */
  readonly notifiedIssues: readonly SaveIssue[];
  readonly createdAt: Instant;
  /** When a user last opened it. */
  readonly usedAt: Instant;
}

/** `conflict`: saved over another version; `failed`: could not be saved. */
export type SaveIssue = 'conflict' | 'failed';

/**
 * The office sessions of one owner.
 *
 * Contract (contract-tests/suites/office-session-store.ts):
 * - A saved session is found by its object and key, field for field, and replaced by a later save.
 * - `opened` returns the latest open session of an object that was opened at the version, and nothing once it is
 *   closed.
 * - `carry` moves the open sessions of an object from one base version to another, and no others.
 * - `removeAll` removes the sessions of an object; `removeUnused` those last used before a moment, at most `limit`.
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
