import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { queryOfListing, type ObjectFilters } from '../../data/object-filters.ts';

export type SearchHit = components['schemas']['SearchHit'];
export type SearchResults = components['schemas']['SearchResults'];

export async function search(
  q: string,
  filters: ObjectFilters,
  page: { readonly limit: number; readonly offset?: number },
  signal: AbortSignal,
): Promise<SearchResults> {
  return reply(api.GET('/v1/search', { params: { query: { ...filters, ...page, q } }, signal }));
}

/** The query of the address of a search. */
export const queryOfSearch = (q: string, filters: ObjectFilters): string =>
  `?q=${encodeURIComponent(q)}${queryOfListing({ filters, order: 'newest' }).replace('?', '&')}`;
