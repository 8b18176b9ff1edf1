import type { ObjectFilter, ObjectPageRequest } from '../../../../ports/objects.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../../../ports/text-extraction.ts';
import { OBJECT_COLUMNS } from './object-rows.ts';
import { indexedBy, placeholders, type Sql, type Value } from '../../sql.ts';

const ORDER = ' order by created_at desc, id desc';
const NEWEST = `${ORDER} limit ? offset ?`;

export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * The counters that add up to the total of a filter. Each state has one for all its objects, of kind '*', and one for
 * each combination of facets. If most kinds are requested, it is faster to subtract the others.
 */
export function totalQuery(ownerId: string, filter: ObjectFilter): Query {
  const { collectionId, docType, textState } = filter;
  const folder = collectionId === undefined ? '*' : (collectionId ?? '');
  const kinds = [...new Set(filter.kinds ?? OBJECT_KINDS)];
  const others = OBJECT_KINDS.filter((kind) => !kinds.includes(kind));
  const wholly = docType === undefined && textState === undefined && others.length < kinds.length;
  const counted = wholly ? ['*', ...others] : kinds;
  const state = states(filter);
  const parts = ['owner_id = ?', 'folder = ?', 'trashed = ?'];
  const values: Value[] = [ownerId, folder, filter.trashed ? 1 : 0];
  add(parts, values, `is_hidden in (${placeholders(state.length)})`, state);
  add(parts, values, `kind in (${placeholders(counted.length)})`, counted);
  if (docType !== undefined) add(parts, values, 'doc_type = ?', [docType]);
  if (textState !== undefined) add(parts, values, 'text_state = ?', [textState]);
  const sum = wholly && others.length > 0 ? "sum(case kind when '*' then n else -n end)" : 'sum(n)';
  return {
    text: `select coalesce(${sum}, 0) as n from object_counts where ${parts.join(' and ')}`,
    values,
  };
}

/**
 * The rows of a page in newest-first order, from index entries alone. Each state (visible, hidden) is sorted in an
 * index, and the two states are merged.
 */
export function pagePositionsQuery(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  request: ObjectPageRequest,
): Query {
  const streams = states(filter).map((isHidden) =>
    stream(dialect, ownerId, filter, isHidden, request, 'created_at, id'),
  );
  const offset = 'after' in request ? 0 : request.offset;
  const values = [...streams.flatMap((each) => each.values), request.limit, offset];
  // Postgres merges only inputs that are declared as sorted, and sorts a plain union. SQLite merges either.
  const ordered = streams.map(({ text }, n) => `select * from (${text}${ORDER}) state_${n}`);
  return {
    text: `select created_at, id from (${ordered.join(' union all ')}) states${NEWEST}`,
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
  columns: readonly string[] = OBJECT_COLUMNS,
): Query {
  const offset = 'after' in request ? 0 : request.offset;
  const [state, ...more] = states(filter);
  if (state !== undefined && more.length === 0 && (dialect === 'sqlite' || offset === 0)) {
    const { text, values } = stream(dialect, ownerId, filter, state, request, columns.join(', '));
    return { text: `${text}${NEWEST}`, values: [...values, request.limit, offset] };
  }
  const places = pagePositionsQuery(dialect, ownerId, filter, request);
  return {
    text: `select ${columns.map((column) => `o.${column}`).join(', ')} from (${places.text}) p cross join objects o
      where o.owner_id = ? and o.id = p.id order by o.created_at desc, o.id desc`,
    values: [...places.values, ownerId],
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
  const { collectionId, kinds, docType, textState } = filter;
  const parts = ['owner_id = ?', 'trashed = ?', 'is_hidden = ?'];
  const values: Value[] = [ownerId, filter.trashed ? 1 : 0, isHidden];
  if (collectionId !== undefined) add(parts, values, 'folder = ?', [collectionId ?? '']);
  if (docType !== undefined) add(parts, values, 'doc_type = ?', [docType]);
  if (kinds !== undefined) addKinds(parts, values, kinds);
  if (textState !== undefined) add(parts, values, 'text_state = ?', [textState]);
  if ('after' in request)
    add(parts, values, '(created_at, id) < (?, ?)', [request.after.createdAt, request.after.id]);
  const index = indexedBy({ dialect }, orderIndex(filter));
  return {
    text: `select ${columns} from objects${index} where ${parts.join(' and ')}`,
    values,
  };
}

/** The index that begins with the two most selective conditions. Other conditions are checked on its entries. */
function orderIndex({ collectionId, docType, kinds }: ObjectFilter): string {
  const oneKind = kinds?.length === 1;
  if (collectionId !== undefined) {
    if (oneKind) return 'objects_by_folder_and_kind';
    return docType === undefined ? 'objects_by_folder' : 'objects_by_folder_and_type';
  }
  if (docType !== undefined) return oneKind ? 'objects_by_kind_and_type' : 'objects_by_doc_type';
  return oneKind ? 'objects_by_kind' : 'objects_by_time';
}

/**
 * Whether the entries of an index are exactly the matches of a filter. A page then needs no total: no entries past the
 * last match are scanned.
 */
export const isIndexed = ({ collectionId, kinds, docType, textState }: ObjectFilter): boolean =>
  textState === undefined &&
  (kinds === undefined || kinds.length === 1) &&
  [collectionId, kinds, docType].filter((each) => each !== undefined).length < 3;

/** If most kinds are requested, the exclusion of the others is faster. */
function addKinds(parts: string[], values: Value[], kinds: readonly ObjectKind[]): void {
  const others = OBJECT_KINDS.filter((kind) => !kinds.includes(kind));
  if (kinds.length === 1) add(parts, values, 'kind = ?', kinds);
  else if (others.length === 1) add(parts, values, 'kind <> ?', others);
  else add(parts, values, `kind in (${placeholders(kinds.length)})`, kinds);
}

const states = ({ visibility }: ObjectFilter): readonly number[] =>
  visibility === 'any' ? [0, 1] : [visibility === 'hidden' ? 1 : 0];

function add(parts: string[], values: Value[], part: string, more: readonly Value[]): void {
  parts.push(part);
  values.push(...more);
}
