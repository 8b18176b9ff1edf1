import type { Knex } from 'knex';
import { categoryKey, nameKey } from '../../../../ports/objects.ts';
import { rowsTable, type TypedColumn } from '../../bulk-rows.ts';
import type { DialectTypes } from '../migration.ts';

const FACETS = ['kind', 'doc_type', 'text_state', 'status', 'suggested'] as const;
const NO_FACETS = FACETS.map((facet) => `${facet === 'suggested' ? 0 : "'*'"} as ${facet}`);
const COUNTED = ['owner_id', 'folder', 'trashed', 'is_hidden', ...FACETS].join(', ');

/** Each object counts for its folder and for all folders ('*'), with its facets and without. */
const countedRows = ["'*' as folder", 'folder'].flatMap((folder) =>
  [FACETS, NO_FACETS].map(
    (facets) => `select owner_id, ${folder}, trashed, is_hidden, ${facets.join(', ')} from objects`,
  ),
);

/** Saved views of the library, and what its filters and orders need. */
export const viewsStatements = ({ text, int, flag, clustered }: DialectTypes) => [
  `alter table objects add column name_key ${text} not null default ''`,
  `alter table objects add column suggested ${flag} not null default 0`,
  'update objects set suggested = 1 where suggested_name is not null or suggested_folder is not null',
  // A row for each category of an object, with the state and the time of the object: each category is a list.
  `create table object_categories (
    owner_id ${text} not null,
    category ${text} not null,
    trashed ${flag} not null,
    is_hidden ${flag} not null,
    created_at ${int} not null,
    object_id ${text} not null,
    primary key (owner_id, category, trashed, is_hidden, created_at, object_id)
  )${clustered}`,
  'drop table object_counts',
  `create table object_counts (
    owner_id ${text} not null,
    folder ${text} not null,
    trashed ${flag} not null,
    is_hidden ${flag} not null,
    kind ${text} not null,
    doc_type ${text} not null,
    text_state ${text} not null,
    status ${text} not null,
    suggested ${flag} not null,
    n ${int} not null,
    primary key (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested)
  )${clustered}`,
  `insert into object_counts (${COUNTED}, n)
    select ${COUNTED}, count(*) from (${countedRows.join(' union all ')}) counted group by ${COUNTED}`,
  `create table saved_views (
    owner_id ${text} not null,
    id ${text} not null,
    name ${text} not null,
    filters ${text} not null,
    sort_order ${text} not null,
    position ${int} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${clustered}`,
];

/** Columns that a list in some order may filter by. An index that ends with them needs no row to check a filter. */
const FILTERED = 'folder, kind, doc_type, status, suggested, text_state';

const listIndex = (name: string, order: string, filters: string) =>
  `create index ${name} on objects (owner_id, trashed, is_hidden, ${order}, ${filters})`;

/** After the rows are filled: an index is faster to make than to maintain. */
const INDEXES = [
  'drop index objects_by_time',
  listIndex('objects_by_time', 'created_at, id', FILTERED),
  listIndex('objects_by_status', 'status, created_at, id', 'kind, doc_type, folder'),
  listIndex('objects_by_suggestion', 'suggested, created_at, id', 'kind, doc_type, folder'),
  listIndex('objects_by_name', 'name_key, id', `created_at, ${FILTERED}`),
  listIndex('objects_by_size', 'size, id', `created_at, ${FILTERED}`),
  listIndex('objects_by_update', 'updated_at, id', `created_at, ${FILTERED}`),
];

interface ListedRow {
  readonly owner_id: string;
  readonly id: string;
  readonly trashed: number;
  readonly is_hidden: number;
  readonly created_at: number;
  readonly filename: string;
  readonly categories: string;
}

const LISTED = 'owner_id, id, trashed, is_hidden, created_at, filename, categories'.split(', ');
const ROWS_AT_ONCE = 1_000;

const KEYED: readonly TypedColumn[] = [
  ['owner_id', 'text'],
  ['id', 'text'],
  ['name_key', 'text'],
];
const CATEGORY: readonly TypedColumn[] = [
  ['owner_id', 'text'],
  ['category', 'text'],
  ['trashed', 'smallint'],
  ['is_hidden', 'smallint'],
  ['created_at', 'bigint'],
  ['object_id', 'text'],
];

/** Fills the columns and rows that need functions of the program, and makes the indexes. */
export async function fillLists(knex: Knex, types: Pick<DialectTypes, 'dialect'>): Promise<void> {
  const names = CATEGORY.map(([name]) => name).join(', ');
  for (let after: ListedRow | undefined; ;) {
    const rows: readonly ListedRow[] = await knex('objects')
      .select(LISTED)
      .whereRaw('(owner_id, id) > (?, ?)', [after?.owner_id ?? '', after?.id ?? ''])
      .orderBy(['owner_id', 'id'])
      .limit(ROWS_AT_ONCE);
    await knex.raw(
      `update objects set name_key = rows.name_key from ${rowsTable(types, KEYED)} as rows
       where objects.owner_id = rows.owner_id and objects.id = rows.id`,
      [JSON.stringify(rows.map((row) => [row.owner_id, row.id, nameKey(row.filename)]))],
    );
    await knex.raw(
      `insert into object_categories (${names}) select ${names} from ${rowsTable(types, CATEGORY)} as rows`,
      [JSON.stringify(rows.flatMap(categoryRows))],
    );
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  for (const statement of INDEXES) await knex.raw(statement);
}

function categoryRows(row: ListedRow): readonly (string | number)[][] {
  const categories = new Set((JSON.parse(row.categories) as string[]).map(categoryKey));
  return [...categories].map((category) => [
    row.owner_id,
    category,
    row.trashed,
    row.is_hidden,
    row.created_at,
    row.id,
  ]);
}
