import { to } from '../../app/address.ts';
import { folderOf, folders, themes, type Folder, type Theme } from '../../data/folders.ts';
import {
  listingOfQuery,
  queryOfListing,
  withFilters,
  type Listing,
} from '../../data/object-filters.ts';

/** What the address names: the library, one of its folders, or one of its themes. */
export type Place =
  | { readonly kind: 'library' }
  | { readonly kind: 'folder'; readonly id: string; readonly folder: Folder | undefined }
  | { readonly kind: 'theme'; readonly id: string; readonly theme: Theme | undefined };

/** @param path below the app's root. */
export function placeOf(path: string): Place {
  const [, kind, id = ''] = path.split('/');
  if (kind === 'folder') return { kind, id, folder: folderOf(id) };
  if (kind === 'theme') return { kind, id, theme: themes.value.find((theme) => theme.id === id) };
  return { kind: 'library' };
}

/** The documents of a place that fit the filters of the query. */
export function listingAt(place: Place, query: Readonly<Record<string, string>>): Listing {
  const listing = listingOfQuery(query);
  if (place.kind === 'library') return listing;
  const filters = withFilters(listing.filters, {
    collection_id: place.kind === 'folder' ? place.id : undefined,
    theme_id: place.kind === 'theme' ? place.id : undefined,
    uncategorized: undefined,
  });
  return { ...listing, filters };
}

/** The inverse: a folder or a theme has an address of its own, other filters are in the query. */
export function addressOf({ filters, order }: Listing): string {
  const { collection_id: folder, theme_id: theme, ...rest } = filters;
  const query = queryOfListing({ filters: rest, order });
  if (folder !== undefined) return to(`/folder/${folder}${query}`);
  return to(theme === undefined ? `/library${query}` : `/theme/${theme}${query}`);
}

export const foldersOfTheme = (id: string): readonly Folder[] =>
  folders.value.filter(({ theme_id: theme }) => theme === id);
