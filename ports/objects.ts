import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';
import type { ObjectKind } from './text-extraction.ts';

export type ObjectStatus = 'pending' | 'processing' | 'ready' | 'failed';
export type NameSource = 'original' | 'user' | 'ai';
/** `available`: a text rendition exists. `pending`: it is being read. `absent`: there is none. */
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
  /** Counts contents from 1. A rename, move or hide does not increase it. */
  readonly version: number;
  readonly status: ObjectStatus;
  /** Why processing failed or needs the owner, as a sentence for the user; null otherwise. */
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
  /** The folder suggestion for this content was accepted or dismissed. No other is made for it. */
  readonly folderAnswered: boolean;
  readonly sourceUrl: string | null;
  readonly textState: TextState;
  readonly hasCorrections: boolean;
  /** No text could be extracted although files of this kind should have some. */
  readonly needsManual: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Visibility filter of a list. `any` and `hidden` are used only while the hidden zone is unlocked. */
export interface ObjectFilter {
  readonly visibility: 'visible' | 'hidden' | 'any';
  readonly trashed: boolean;
  /** Any of these kinds; all kinds if absent. */
  readonly kinds?: readonly ObjectKind[];
  readonly docType?: DocType;
  /** A folder's id, or null for objects in no folder. */
  readonly collectionId?: string | null;
  readonly textState?: TextState;
}

/** A position in the newest-first order: after the object with this time and id. */
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

/** Summary of an object in a list of files. */
export type ObjectSummary = Pick<StoredObject, 'id' | 'filename' | 'mime' | 'size' | 'createdAt'>;

/**
 * The objects of one owner. The owner is fixed when the unit of work opens, so no method has a tenant or owner
 * parameter and none can reach a foreign row.
 *
 * Contract (contract-tests/suites/object-store.ts):
 * - `find` returns what was saved, field for field. Saving is idempotent.
 * - An object is out of reach of every other owner.
 * - `page` divides the newest-first list into pages without gaps or duplicates, by offset and by position. Equal
 *   `createdAt` is ordered by `id`, descending.
 * - `outlines` returns a page by offset as summaries: the same objects and the same total, at a fraction of the cost.
 * - `total` and `count` are exact for every filter after any sequence of saves and removals, without counting rows.
 * - `findMany` returns those of the ids that exist, in no promised order.
 * - `countVisible` counts, for each requested folder, its objects that are neither hidden nor in the trash.
 * - `idsIn` lists the objects of a folder in id order, hidden and trashed ones included.
 * - `withHash` returns the newest object outside the trash whose current content has the hash, hidden ones only on
 *   request.
 */
export interface ObjectStore {
  find(id: string): Promise<StoredObject | undefined>;
  findMany(ids: readonly string[]): Promise<readonly StoredObject[]>;
  page(filter: ObjectFilter, request: ObjectPageRequest): Promise<ObjectPage>;
  outlines(filter: ObjectFilter, request: PageRequest): Promise<Page<ObjectSummary>>;
  count(filter: ObjectFilter): Promise<number>;
  save(object: StoredObject): Promise<void>;
  remove(id: string): Promise<void>;
  countVisible(collectionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  idsIn(collectionId: string, after: string | null, limit: number): Promise<readonly string[]>;
  withHash(contentHash: string, hiddenToo: boolean): Promise<StoredObject | undefined>;
}
