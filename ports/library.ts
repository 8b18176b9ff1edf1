import type { PageRequest, Page } from './paging.ts';
import type { Instant } from './runtime.ts';

/** A group of folders. */
export interface Theme {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly isHidden: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A folder of objects. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  readonly themeId: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The themes of one owner.
 *
 * Contract (contract-tests/suites/theme-store.ts):
 * - `save` inserts or replaces, and `find` returns what was saved, field for field.
 * - `page` lists by name, ignoring case, then by id, excludes hidden ones unless requested, and returns the full
 *   total.
 */
export interface ThemeStore {
  find(id: string): Promise<Theme | undefined>;
  page(filter: { readonly includeHidden: boolean }, request: PageRequest): Promise<Page<Theme>>;
  save(theme: Theme): Promise<void>;
  remove(id: string): Promise<void>;
}

/**
 * The folders of one owner.
 *
 * Contract (contract-tests/suites/collection-store.ts):
 * - `save` inserts or replaces, and `find` returns what was saved, field for field.
 * - `save` returns `false` and stores nothing if another folder of the same theme (or of none) has the name, ignoring
 *   case.
 * - `page` lists by name, ignoring case, then by id, with `themeId` only the folders of that theme, and returns the
 *   full total.
 * - `named` finds the folder with a name, ignoring case, in a theme or in none.
 * - `allNamed` finds all folders with a name, ignoring case, in any theme or in none, ordered by id.
 * - `names` returns the names of those ids that exist.
 * - `nameFor` returns the name of the folder that contains an object, null if there is none.
 * - `countByTheme` counts the folders of each requested theme.
 * - `leaveTheme` removes the theme from its folders. A name that would then clash gets a number.
 */
export interface CollectionStore {
  find(id: string): Promise<Collection | undefined>;
  named(themeId: string | null, name: string): Promise<Collection | undefined>;
  allNamed(name: string): Promise<readonly Collection[]>;
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  nameFor(objectId: string): Promise<string | null>;
  page(filter: { readonly themeId?: string }, request: PageRequest): Promise<Page<Collection>>;
  countByTheme(themeIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  save(collection: Collection): Promise<boolean>;
  remove(id: string): Promise<void>;
  leaveTheme(themeId: string, at: Instant): Promise<void>;
}

/** Normal form for comparison: two names with the same form are the same name. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase();
