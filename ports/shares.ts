import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

export const SHARE_KINDS = ['folder', 'file'] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];
/** A contributor of a folder also uploads into it. */
export const SHARE_ROLES = ['viewer', 'contributor'] as const;
export type ShareRole = (typeof SHARE_ROLES)[number];

/** A link under which a folder or a file is shown to whoever has it. */
export interface Share {
  readonly id: string;
  readonly kind: ShareKind;
  /** Of the folder or the object. */
  readonly resourceId: string;
  readonly role: ShareRole;
  /** What the owner calls it; may be empty. */
  readonly name: string;
  /** How the token begins, to tell links apart. */
  readonly prefix: string;
  /** Of the token, which is not kept. Unique over all owners. */
  readonly digest: string;
  /** null where none is asked for. */
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  /** How often its address was read. */
  readonly accessCount: number;
  /** Files that came by it. */
  readonly uploadCount: number;
  /** The bytes of these files. Deleting files later lowers neither number. */
  readonly uploadedBytes: number;
  /** Quotas of the bytes and files that contributors upload by it in all. */
  readonly maxUploadBytes: number;
  readonly maxUploadFiles: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Visits, uploaded files, their bytes. */
export type ShareCount = 'access' | 'upload' | 'bytes';

export interface ShareFilter {
  /** `visible`: those of hidden objects are left out. */
  readonly sight: 'visible' | 'any';
  readonly kind?: ShareKind;
  readonly resourceId?: string;
}

/** What a visitor holds who has told the password. */
export interface ShareAccess {
  readonly shareId: string;
  /** Digest of the secret; the secret is not kept. */
  readonly digest: string;
  readonly expiresAt: Instant;
}

/** Passwords that one visitor has tried, or all visitors of a share together. */
export interface ShareTries {
  readonly shareId: string;
  /** Identifies a visitor without revealing the address; or `ALL_VISITORS`. */
  readonly visitor: string;
  /** The moments of the tries, the earliest first; a bounded number. */
  readonly attemptTimes: readonly Instant[];
  /** When the reserved try of the visitor begins; for all visitors, the latest reservation. null for none. */
  readonly reservedAt: Instant | null;
  /** The moment from which none of this counts. */
  readonly expiresAt: Instant;
}

/** Used instead of a visitor for the tries of all visitors. No visitor has this identifier. */
export const ALL_VISITORS = '*';
/** How many visitors of a share may hold an access at a time. */
export const MAX_SHARE_ACCESSES = 500;

/**
 * The shares of one owner, and what their visitors hold and have tried.
 *
 * Contract (contract-tests/suites/share-store.ts):
 * - A share that was saved is found by its id, field for field, and replaced by what is saved under it later.
 * - `page` lists newest first, then by id, descending, narrowed by kind and resource, and tells the full total.
 * - In the sight `visible` shares of hidden objects are left out, of the total as well.
 * - `count` adds to one number of a share and answers with what it is then, whoever adds beside it; nothing where there is no such share.
 * - `remove` answers whether there was one, `removeOf` takes all of a resource; what visitors hold of them and have tried goes along.
 * - An access is found by its share and its digest until those of the share are closed.
 * - No more than `MAX_SHARE_ACCESSES` of a share are kept: adding one more drops the one that expires first.
 * - `tries` returns what was put last for a visitor of a share; without moments and a reservation nothing is stored.
 * - Tries end by time alone: the tries of one visitor are never evicted for those of another.
 * - `removeExpired` takes accesses and tries that ended before a moment, at most `limit` of each.
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
  tries(shareId: string, visitor: string): Promise<ShareTries | undefined>;
  putTries(tries: ShareTries): Promise<void>;
  removeExpired(before: Instant, limit: number): Promise<void>;
}
