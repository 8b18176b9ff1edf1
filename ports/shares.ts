import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

export const SHARE_KINDS = ['folder', 'file'] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];
/** A contributor of a folder may also upload into it. */
export const SHARE_ROLES = ['viewer', 'contributor'] as const;
export type ShareRole = (typeof SHARE_ROLES)[number];

/** A link that shows a folder or a file to anyone who has it. */
export interface Share {
  readonly id: string;
  readonly kind: ShareKind;
  /** Id of the folder or the object. */
  readonly resourceId: string;
  readonly role: ShareRole;
  /** The owner's label; may be empty. */
  readonly name: string;
  /** The beginning of the token, for identification in lists. */
  readonly prefix: string;
  /** Digest of the token, which is not stored. Unique across owners. */
  readonly digest: string;
  /** null if no password is required. */
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  /** Number of visits. */
  readonly accessCount: number;
  /** Number of files uploaded through the link. */
  readonly uploadCount: number;
  /** The bytes of these files. Deleting files later lowers neither number. */
  readonly uploadedBytes: number;
  /** Total quotas of bytes and files that contributors may upload through the link. */
  readonly maxUploadBytes: number;
  readonly maxUploadFiles: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Visits, uploaded files, their bytes. */
export type ShareCount = 'access' | 'upload' | 'bytes';

export interface ShareFilter {
  /** `visible`: shares of hidden objects are excluded. */
  readonly sight: 'visible' | 'any';
  readonly kind?: ShareKind;
  readonly resourceId?: string;
  /** Only shares of these folders, and of objects in them. */
  readonly collectionIds?: readonly string[];
}

/** The access of a visitor who has entered the password. */
export interface ShareAccess {
  readonly shareId: string;
  /** Digest of the secret; the secret is not stored. */
  readonly digest: string;
  readonly expiresAt: Instant;
}

/** Password attempts of one visitor, or of all visitors of a share together. */
export interface PasswordAttempts {
  readonly shareId: string;
  /** Identifies a visitor without revealing the address; or `ALL_VISITORS`. */
  readonly visitor: string;
  /** The times of the attempts, earliest first; limited in number. */
  readonly attemptTimes: readonly Instant[];
  /** When the visitor's reserved attempt begins; for all visitors, the latest reservation. null for none. */
  readonly reservedAt: Instant | null;
  /** From this moment on the attempts no longer count. */
  readonly expiresAt: Instant;
}

/** Used instead of a visitor for the attempts of all visitors. No visitor has this identifier. */
export const ALL_VISITORS = '*';
/** Maximum number of visitors with an access to one share at a time. */
export const MAX_SHARE_ACCESSES = 500;

/**
 * The shares of one owner, with the accesses and password attempts of their visitors.
 *
 * Contract (contract-tests/suites/share-store.ts):
 * - A saved share is found by its id, field for field, and replaced by a later save.
 * - `page` lists newest first, then by id, descending, filtered by kind and resource, and returns the full total.
 * - With visibility `visible`, shares of hidden objects are excluded, from the total as well.
 * - With folders, only shares of these and of objects in them are listed and counted.
 * - `count` adds to one counter of a share and returns its new value, also under concurrency; nothing for a missing
 *   share.
 * - `remove` returns whether the share existed, `removeOf` removes all of a resource. Accesses and attempts are
 *   removed with them.
 * - An access is found by its share and its digest until the accesses of the share are removed.
 * - At most `MAX_SHARE_ACCESSES` of a share are stored: adding one more drops the one that expires first.
 * - `attempts` returns what was last stored for a visitor of a share. Without attempts and a reservation nothing is
 *   stored.
 * - Attempts expire by time alone: those of one visitor are never evicted for another's.
 * - `removeExpired` removes accesses and attempts that expired before a moment, at most `limit` of each.
 * - Another owner's shares are out of reach.
 */
export interface ShareStore {
  save(share: Share): Promise<void>;
  find(id: string): Promise<Share | undefined>;
  page(filter: ShareFilter, request: PageRequest): Promise<Page<Share>>;
  count(id: string, what: ShareCount, by: number): Promise<number | undefined>;
  remove(id: string): Promise<boolean>;
  removeOf(kind: ShareKind, resourceId: string): Promise<void>;
  addAccess(access: ShareAccess): Promise<void>;
  findAccess(shareId: string, digest: string): Promise<ShareAccess | undefined>;
  closeAccesses(shareId: string): Promise<void>;
  attempts(shareId: string, visitor: string): Promise<PasswordAttempts | undefined>;
  saveAttempts(attempts: PasswordAttempts): Promise<void>;
  removeExpired(before: Instant, limit: number): Promise<void>;
}
