import type { ObjectOrder, ObjectStatus } from './objects.ts';
import type { Instant } from './runtime.ts';

/** The filters of a list of objects as a caller sends them. All apply together. */
export interface ListFilters {
  readonly docType?: string;
  readonly kind?: string;
  readonly isLink?: boolean;
  readonly collectionId?: string;
  readonly uncategorized?: boolean;
  readonly includeHidden?: boolean;
  readonly hiddenOnly?: boolean;
  readonly trashed?: boolean;
  readonly notesOnly?: boolean;
  readonly status?: ObjectStatus;
  readonly themeId?: string;
  /** Case is ignored. */
  readonly category?: string;
  readonly hasSuggestion?: boolean;
  /** SHA-256 of the current content in lower-case hex. */
  readonly contentHash?: string;
  /** Inclusive. */
  readonly createdFrom?: Instant;
  /** Exclusive. */
  readonly createdTo?: Instant;
}

/** Filters and an order of the list of objects, saved under a name. It names no object. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly filters: ListFilters;
  readonly order: ObjectOrder;
  /** Views are listed by ascending position. Several may have the same. */
  readonly position: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The saved views of one owner.
 *
 * Contract (contract-tests/suites/view-store.ts):
 * - `save` inserts or replaces, and `find` returns what was saved, field for field.
 * - `list` returns the first views by position, then by creation time, then by id.
 * - `remove` removes that view only, and returns whether it existed.
 * - Another owner's views are out of reach.
 */
export interface ViewStore {
  find(id: string): Promise<SavedView | undefined>;
  /** At most `limit`. */
  list(limit: number): Promise<readonly SavedView[]>;
  save(view: SavedView): Promise<void>;
  remove(id: string): Promise<boolean>;
}
