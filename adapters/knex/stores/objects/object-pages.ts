import type { ObjectFilter, ObjectOrder, ObjectPageRequest } from '../../../../ports/objects.ts';
import { OBJECT_COLUMNS } from './object-rows.ts';
import {
  categoryConditions,
  facetConditions,
  foldersOf,
  hasCategory,
  hasCategoryText,
  objectConditions,
  states,
  type Query,
} from './object-conditions.ts';
import { facetIndex, timeIndex } from './object-indexes.ts';
import {
  followsText,
  isByTime,
  orderClause,
  positionValues,
  SORT_ORDERS,
} from './object-orders.ts';
import { categoryKey } from '../../../../ports/objects.ts';
import { indexedBy, type Sql, type Value } from '../../sql.ts';

const orderOf = ({ order = 'newest' }: ObjectPageRequest): ObjectOrder => order;
const offsetOf = (request: ObjectPageRequest): number => ('after' in request ? 0 : request.offset);

/** Rows of one list: `sort_key` and `id` of each. `order` is by the columns of the table, which an index has sorted. */
interface Stream extends Query {
  readonly order: string;
}

/**
 * The rows of a page in the requested order, from index entries alone. Each state (visible, hidden), and in orders by
 * time each of several folders, is sorted in an index, and these are merged.
 *
 * @param isSorted The matches are so few that they are read by their facets and sorted.
 */
export function pagePositionsQuery(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  request: ObjectPageRequest,
  isSorted = false,
): Query {
  const order = orderOf(request);
  const offset = offsetOf(request);
  const outer = `${orderClause(order, 'sort_key')} limit ? offset ?`;
  if (isSorted) {
    const { text, values } = sortedStream(dialect, ownerId, filter, request);
    return { text: `${text}${outer}`, values: [...values, request.limit, offset] };
  }
  const isMergedByFolder = filter.collectionIds !== undefined && isByTime(order);
  const streams = (isMergedByFolder ? eachFolder(filter) : [filter]).flatMap((narrowed) =>
    states(filter).map((isHidden) => positions(dialect, ownerId, narrowed, isHidden, request)),
  );
  // With folders neither database merges so many inputs lazily: each is limited to the entries that the page may need.
  const most = isMergedByFolder ? [offset + request.limit] : [];
  const limited = isMergedByFolder ? ' limit ?' : '';
  const values = [...streams.flatMap((each) => [...each.values, ...most]), request.limit, offset];
  // Postgres merges only inputs that are declared as sorted, and sorts a plain union. SQLite merges either.
  const ordered = streams.map(
    (each, n) => `select * from (${each.text}${each.order}${limited}) state_${n}`,
  );
  return {
    text: `select sort_key, id from (${ordered.join(' union all ')}) states${outer}`,
    values,
  };
}

/**
 * The rows of a page. SQLite passes over the rows before the offset without reading them; elsewhere, and where two
 * states are merged, the places are found first. Only so many rows are ever sorted as the page has.
 */
export function pageQuery(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  request: ObjectPageRequest,
  { columns = OBJECT_COLUMNS, isSorted = false }: PageOptions = {},
): Query {
  const order = orderOf(request);
  const offset = offsetOf(request);
  const [state, ...more] = states(filter);
  const isOneStream =
    state !== undefined &&
    more.length === 0 &&
    !isSorted &&
    !filter.collectionIds &&
    !hasCategory(filter);
  if (isOneStream && (dialect === 'sqlite' || offset === 0)) {
    const { text, values } = stream(dialect, ownerId, filter, state, request, columns.join(', '));
    return {
      text: `${text}${orderClause(order)} limit ? offset ?`,
      values: [...values, request.limit, offset],
    };
  }
  const places = pagePositionsQuery(dialect, ownerId, filter, request, isSorted);
  return {
    text: `select ${columns.map((column) => `o.${column}`).join(', ')} from (${places.text}) p cross join objects o
      where o.owner_id = ? and o.id = p.id${orderClause(order, 'p.sort_key', 'p.id')}`,
    values: [...places.values, ownerId],
  };
}

export interface PageOptions {
  readonly columns?: readonly string[];
  /** See `pagePositionsQuery`. */
  readonly isSorted?: boolean;
}

/** The rows of one state in the order of an index. */
function positions(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  isHidden: number,
  request: ObjectPageRequest,
): Stream {
  const order = orderOf(request);
  if (hasCategory(filter) && isByTime(order))
    return {
      ...ofCategory(ownerId, filter, [isHidden], request, 'c.created_at'),
      order: orderClause(order, 'c.created_at', 'c.object_id'),
    };
  const columns = `${SORT_ORDERS[order].column} as sort_key, id`;
  return {
    ...stream(dialect, ownerId, filter, isHidden, request, columns),
    order: orderClause(order),
  };
}

function stream(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  isHidden: number,
  request: ObjectPageRequest,
  columns: string,
): Query {
  const order = orderOf(request);
  const own = objectConditions(ownerId, filter, [isHidden]);
  const parts = [...own.parts];
  const values: Value[] = [...own.values];
  if (hasCategory(filter)) {
    parts.push(hasCategoryText);
    values.push(categoryKey(filter.category));
  }
  if ('after' in request) {
    parts.push(followsText(order));
    values.push(...positionValues(request.after));
  }
  const index = indexedBy({ dialect }, SORT_ORDERS[order].index ?? timeIndex(filter));
  return { text: `select ${columns} from objects${index} where ${parts.join(' and ')}`, values };
}

/** All matches of a filter, read by its facets, in no order. */
function sortedStream(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  request: ObjectPageRequest,
): Query {
  const order = orderOf(request);
  const { column } = SORT_ORDERS[order];
  if (hasCategory(filter))
    return ofCategory(ownerId, filter, states(filter), request, `o.${column}`);
  const { parts, values } = objectConditions(ownerId, filter, states(filter));
  const follows = 'after' in request;
  const index = indexedBy({ dialect }, facetIndex(filter));
  return {
    text: `select ${column} as sort_key, id from objects${index}
      where ${parts.join(' and ')}${follows ? ` and ${followsText(order)}` : ''}`,
    values: [...values, ...(follows ? positionValues(request.after) : [])],
  };
}

/** Matches of a filter from the rows of its category, joined with their objects only if that is necessary. */
function ofCategory(
  ownerId: string,
  filter: ObjectFilter & { readonly category: string },
  isHidden: readonly number[],
  request: ObjectPageRequest,
  key: string,
): Query {
  const own = categoryConditions(ownerId, filter, isHidden);
  const further = facetConditions(ownerId, filter);
  const needsObject = further.parts.length > 0 || key.startsWith('o.');
  const parts = [...own.parts];
  const values: Value[] = [...own.values];
  if (needsObject) parts.push('o.owner_id = c.owner_id', 'o.id = c.object_id', ...further.parts);
  values.push(...further.values);
  if ('after' in request) {
    parts.push(followsText(orderOf(request), key, 'c.object_id'));
    values.push(...positionValues(request.after));
  }
  return {
    text: `select ${key} as sort_key, c.object_id as id
      from object_categories c${needsObject ? ' cross join objects o' : ''} where ${parts.join(' and ')}`,
    values,
  };
}

/** The filter for each of its folders alone. */
function eachFolder({ collectionIds, ...filter }: ObjectFilter): readonly ObjectFilter[] {
  if (!collectionIds) return [filter];
  const folders = foldersOf({ ...filter, collectionIds }) ?? [];
  return folders.map((collectionId) => ({ ...filter, collectionId }));
}
