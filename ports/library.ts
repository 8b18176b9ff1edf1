import type { PageRequest, Page } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

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
 * - `save` inserts or replaces, and `find` gives back what was saved, field for field.
 * - `page` lists by name without regard to case, then by id, leaves hidden ones out unless asked, and tells the full total.
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
 * - `save` inserts or replaces, and `find` gives back what was saved, field for field.
 * - A name that another folder of the same theme (or of none) has, without regard to case, is refused with the answer `false` and nothing is stored.
 * - `page` lists by name without regard to case, then by id; with `themeId` only the folders of that theme; and tells the full total.
 * - `named` finds the folder that has a name, without regard to case, in a theme or in none.
 * - `allNamed` finds all folders that have a name, without regard to case, in whichever theme or in none, by their ids.
 * - `names` gives the names of those ids that exist.
 * - `nameFor` gives the name of the folder that an object lies in, null where it lies in none that exists.
 * - `countByTheme` counts the folders of each theme asked for.
 * - `leaveTheme` takes every folder out of the theme; a name that would then clash is kept and told apart by a number.
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

/** How a name is compared: two names that fold alike are the same name. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase();
