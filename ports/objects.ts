import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';
import type { ObjectKind } from './text-extraction.ts';

export type ObjectStatus = 'pending' | 'processing' | 'ready' | 'failed';
export type NameSource = 'original' | 'user' | 'ai';
/** `available`: a text rendition exists. `pending`: it is still being read. `absent`: none could be had. */
export type TextState = 'available' | 'pending' | 'absent';
export const DOC_TYPES = [
  'contract',
  'invoice',
  'receipt',
  'bank_statement',
  'report',
  'letter',
  'resume',
  'presentation',
  'spreadsheet',
  'article',
  'manual',
  'form',
  'certificate',
  'id_document',
  'meeting_notes',
  'note',
  'book',
  'code',
  'photo',
  'screenshot',
  'ticket',
  'policy',
  'medical',
  'tax',
  'other',
] as const;
export type DocType = (typeof DOC_TYPES)[number];

/** A file, link or note with its current content. */
export interface StoredObject {
  readonly id: string;
  readonly filename: string;
  readonly originalName: string;
  readonly aiName: string;
  readonly nameSource: NameSource;
  readonly nameLocked: boolean;
  readonly kind: ObjectKind;
  readonly mime: string;
  /** Canonical extension of the content, '' when unknown. */
  readonly format: string;
  /** Bytes of the current content. */
  readonly size: number;
  /** SHA-256 of the current content in lower-case hex. */
  readonly contentHash: string;
  readonly blobId: string;
  /** Counts contents from 1; a rename, move or hide does not raise it. */
  readonly version: number;
  readonly status: ObjectStatus;
  /** Why it failed or needs a person, for a person; null while all is well. */
  readonly error: string | null;
  readonly isHidden: boolean;
  readonly deletedAt: Instant | null;
  readonly collectionId: string | null;
  readonly categories: readonly string[];
  readonly docType: DocType;
  readonly title: string;
  readonly summary: string;
  readonly meetingDate: Instant | null;
  readonly suggestedName: string | null;
  readonly suggestedReason: string | null;
  readonly suggestedCollectionId: string | null;
  /** The folder suggested for this content was taken or dropped: no other is suggested for it. */
  readonly folderAnswered: boolean;
  readonly sourceUrl: string | null;
  readonly textState: TextState;
  readonly hasCorrections: boolean;
  /** No text could be had although the kind should have some. */
  readonly needsManual: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Which objects a listing wants. `any` and `hidden` are only ever asked for by an open hidden zone. */
export interface ObjectFilter {
  readonly visibility: 'visible' | 'hidden' | 'any';
  readonly trashed: boolean;
  /** Any of these kinds; all kinds when left out. */
  readonly kinds?: readonly ObjectKind[];
  readonly docType?: DocType;
  /** A folder's id, or null for objects that lie in none. */
  readonly collectionId?: string | null;
  readonly textState?: TextState;
}

/** A place in the newest-first order: just after the object with this moment and id. */
export interface ObjectPosition {
  readonly createdAt: Instant;
  readonly id: string;
}

export type ObjectPageRequest =
  | { readonly limit: number; readonly offset: number }
  | { readonly limit: number; readonly after: ObjectPosition };

export interface ObjectPage {
  readonly items: readonly StoredObject[];
  /** Every match of the filter, not only those on the page. */
  readonly total: number;
  /** Where the next page begins, null on the last one. */
  readonly next: ObjectPosition | null;
}

/** What a list of files tells of each. */
export type ObjectOutline = Pick<StoredObject, 'id' | 'filename' | 'mime' | 'size' | 'createdAt'>;

/**
 * The objects of one owner. The owner is fixed when the unit of work opens, so no method takes a tenant or owner
 * and none can reach a foreign row.
 *
 * Contract (contract-tests/suites/object-store.ts):
 * - `find` returns what was saved, field for field; saving the same object twice is the same as once.
 * - An object is out of reach of every other owner.
 * - `page` cuts the newest-first list into pages without gaps or repeats, by offset and by position alike; equal `createdAt` is broken by `id`, descending.
 * - `outlines` gives a page by offset in short: the same objects and the same total, at a fraction of the cost.
 * - `total` and `count` are exact for every filter after any sequence of saves and removals, without counting rows.
 * - `findMany` gives those of the ids that exist, in no promised order.
 * - `countVisible` counts, for each folder asked for, the objects in it that are neither hidden nor in the trash.
 * - `idsIn` walks the objects of a folder in the order of their ids, hidden and trashed ones included.
 * - `withHash` gives the newest object outside the trash whose current content has the hash, hidden ones only when asked.
 */
export interface ObjectStore {
  find(id: string): Promise<StoredObject | undefined>;
  findMany(ids: readonly string[]): Promise<readonly StoredObject[]>;
  page(filter: ObjectFilter, request: ObjectPageRequest): Promise<ObjectPage>;
  outlines(filter: ObjectFilter, request: PageRequest): Promise<Page<ObjectOutline>>;
  count(filter: ObjectFilter): Promise<number>;
  save(object: StoredObject): Promise<void>;
  remove(id: string): Promise<void>;
  countVisible(collectionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  idsIn(collectionId: string, after: string | null, limit: number): Promise<readonly string[]>;
  withHash(contentHash: string, hiddenToo: boolean): Promise<StoredObject | undefined>;
}
