import type { components, paths } from '../api/schema.js';

export type ObjectFilters = components['schemas']['ObjectFilters'];
export type ObjectOrder = NonNullable<
  NonNullable<paths['/v1/objects']['get']['parameters']['query']>['order']
>;

/** What a list shows: documents that fit all conditions, in an order. */
export interface Listing {
  readonly filters: ObjectFilters;
  readonly order: ObjectOrder;
}

export const ORDERS: readonly ObjectOrder[] = ['newest', 'oldest', 'name', 'largest', 'updated'];
const FLAGS = ['is_link', 'notes_only', 'uncategorized', 'has_suggestion'] as const;
const TEXTS = [
  'kind',
  'doc_type',
  'collection_id',
  'theme_id',
  'status',
  'category',
  'created_from',
  'created_to',
] as const;

type Query = Readonly<Record<string, string>>;

/** The filters that the query of an address names. What it does not know is left out. */
export function listingOfQuery(query: Query): Listing {
  const filters: Record<string, string | boolean> = {};
  for (const name of TEXTS) if (query[name]) filters[name] = query[name];
  for (const name of FLAGS)
    if (query[name] === 'true' || query[name] === 'false') filters[name] = query[name] === 'true';
  const order = ORDERS.find((each) => each === query['order']) ?? 'newest';
  return { filters, order };
}

/** The inverse: `?kind=pdf&order=name`, or an empty text. */
export function queryOfListing({ filters, order }: Listing): string {
  const query = new URLSearchParams();
  for (const name of [...TEXTS, ...FLAGS]) {
    const value = filters[name];
    if (value !== undefined) query.set(name, String(value));
  }
  if (order !== 'newest') query.set('order', order);
  const text = query.toString();
  return text && `?${text}`;
}

/** The filters with some changed; undefined takes a filter off. */
export function withFilters(
  filters: ObjectFilters,
  changes: { readonly [K in keyof ObjectFilters]?: ObjectFilters[K] | undefined },
): ObjectFilters {
  const merged = { ...filters, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** Names a list: equal texts for equal lists. */
export const listingKey = ({ filters, order }: Listing): string =>
  JSON.stringify([order, Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
