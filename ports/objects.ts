import { foldName } from './library.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';
import type { ObjectKind } from './text-extraction.ts';

export const OBJECT_STATUSES = ['pending', 'processing', 'ready', 'failed'] as const;
export type ObjectStatus = (typeof OBJECT_STATUSES)[number];
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
  /** Any of these folders; all objects, with or without a folder, if absent. */
  readonly collectionIds?: readonly string[];
  readonly textState?: TextState;
  readonly status?: ObjectStatus;
  /** Objects in a folder of this theme. */
  readonly themeId?: string;
  /** Objects with a category of this name: see `categoryKey`. */
  readonly category?: string;
  /** Whether a suggested name or folder waits for an answer. */
  readonly hasSuggestion?: boolean;
  /** Only these folders count as suggested ones for `hasSuggestion`; all folders if absent. */
  readonly suggestionFolders?: readonly string[];
  /** Objects whose current content has this SHA-256, in lower-case hex. */
  readonly contentHash?: string;
  /** Inclusive. */
  readonly createdFrom?: Instant;
  /** Exclusive. */
  readonly createdTo?: Instant;
}

export const OBJECT_ORDERS = ['newest', 'oldest', 'name', 'largest', 'updated'] as const;
export type ObjectOrder = (typeof OBJECT_ORDERS)[number];

/** A position in an order: after the object with this key and id. The key of the order by name is a text. */
export interface ObjectPosition {
  readonly key: number | string;
  readonly id: string;
}

/** The order is `newest` if it is absent. */
export type ObjectPageRequest = { readonly limit: number; readonly order?: ObjectOrder } & (
  { readonly offset: number } | { readonly after: ObjectPosition }
);

/** Longer names are compared by so many code points of their folded form: an index limits the length of its keys. */
const MAX_KEY_LENGTH = 200;

const prefixOf = (name: string): string =>
  // A code point has at most two units.
  name.length <= MAX_KEY_LENGTH
    ? name
    : [...name.slice(0, 2 * MAX_KEY_LENGTH)].slice(0, MAX_KEY_LENGTH).join('');

/** The sort key of a file name, compared by code points. */
export const nameKey = (filename: string): string => prefixOf(foldName(prefixOf(filename)));

/** Two categories with the same key are the same. */
export const categoryKey = nameKey;

export const hasSuggestion = ({
  suggestedName,
  suggestedCollectionId,
}: Pick<StoredObject, 'suggestedName' | 'suggestedCollectionId'>): boolean =>
  suggestedName !== null || suggestedCollectionId !== null;

/** Where an object is in an order. */
export const positionIn = (order: ObjectOrder, object: StoredObject): ObjectPosition => ({
  key: POSITION_KEYS[order](object),
  id: object.id,
});

const POSITION_KEYS: Readonly<Record<ObjectOrder, (object: StoredObject) => number | string>> = {
  newest: ({ createdAt }) => createdAt,
  oldest: ({ createdAt }) => createdAt,
  name: ({ filename }) => nameKey(filename),
  largest: ({ size }) => size,
  updated: ({ updatedAt }) => updatedAt,
};

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
 * - `page` divides the list in each order into pages without gaps or duplicates, by offset and by position. Equal keys
 *   are ordered by `id`: ascending in `oldest` and `name`, descending in the others.
 * - `outlines` returns a page by offset as summaries: the same objects and the same total, at a fraction of the cost.
 * - `total` and `count` are exact for every filter after any sequence of saves and removals. Only filters by category,
 *   content, time of creation or folders of suggestions count rows.
 * - `findMany` returns those of the ids that exist, in no promised order.
 * - `countVisible` counts, for each requested folder, its objects that are neither hidden nor in the trash.
 * - `idsIn` lists the objects of a folder in id order, hidden and trashed ones included.
 * - `withHash` returns the newest object outside the trash whose current content has the hash, hidden ones only on
 *   request.
 * - `withHash` with folders returns the newest such object in any of them.
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
  withHash(
    contentHash: string,
    hiddenToo: boolean,
    collectionIds?: readonly string[],
  ): Promise<StoredObject | undefined>;
}
