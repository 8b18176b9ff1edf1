import type { ObjectOrder } from '../../../ports/objects.ts';
import type { PageRequest } from '../../../ports/paging.ts';
import {
  conditionsIn,
  objectNumberOf,
  passageOrdinal,
  type IndexedPassage,
  type NumberedObject,
  type NumberedPassage,
  type SearchFilter,
  type TextSpan,
} from '../../../ports/search.ts';
import { upsertText, type Sql, type Value } from '../sql.ts';
import { orderClause, SORT_ORDERS } from '../stores/objects/object-orders.ts';
import { idsQuery } from '../stores/objects/object-totals.ts';

export interface PassageRow {
  readonly number: number;
  readonly char_start: number;
  readonly char_end: number;
  readonly text: string;
}

const PASSAGE_COLUMNS = ['number', 'char_start', 'char_end', 'terms', 'text'];

/** Inserts or replaces. */
export async function writePassages(
  sql: Sql,
  passages: readonly (Omit<IndexedPassage, 'ord'> & { readonly number: number })[],
): Promise<void> {
  const rows = passages.map(({ number, charStart, charEnd, terms, text }) => [
    number,
    charStart,
    charEnd,
    terms.join(' '),
    text,
  ]);
  if (sql.dialect === 'sqlite') {
    const insert = upsertText('search_passages', PASSAGE_COLUMNS, ['number']);
    for (const row of rows) await sql.enqueueChange(insert, row);
    return;
  }
  await sql.enqueueChange(
    `insert into search_passages (number, char_start, char_end, terms, text)
     select (row->>0)::bigint, (row->>1)::int, (row->>2)::int, row->>3, row->>4
     from json_array_elements(?::json) as row
     on conflict (number) do update set char_start = excluded.char_start,
       char_end = excluded.char_end, terms = excluded.terms, text = excluded.text`,
    [JSON.stringify(rows)],
  );
}

export const spanOf = (row: PassageRow): TextSpan => ({
  ord: passageOrdinal(row.number),
  charStart: row.char_start,
  charEnd: row.char_end,
  text: row.text,
});

/** `column` is one of a list that travels as one value, so that one statement serves lists of any length. */
const among = (sql: Sql, column: string): string =>
  sql.dialect === 'sqlite'
    ? `${column} in (select value from json_each(?))`
    : `${column} in (select value from json_array_elements_text(?::json))`;

const listed = (values: readonly string[]): Value => JSON.stringify(values);

/** The same for numbers: an array tells Postgres how long the list is, and needs no sorting before its look-ups. */
const amongNumbers = (sql: Sql): string =>
  sql.dialect === 'sqlite' ? among(sql, 'number') : 'number = any(?::bigint[])';

const numbered = (sql: Sql, numbers: readonly number[]): Value =>
  sql.dialect === 'sqlite' ? JSON.stringify(numbers) : `{${numbers.join(',')}}`;

/** The owner's own of the objects with these numbers. */
export type ReadObjects = (numbers: readonly number[]) => Promise<readonly NumberedObject[]>;

/** Restricted to the owner's objects, for any numbers. */
export async function readTerms(
  sql: Sql,
  ownObjects: ReadObjects,
  numbers: readonly number[],
): Promise<readonly string[]> {
  const objects = await ownObjects([...new Set(numbers.map(objectNumberOf))]);
  const own = new Set(objects.map(({ number }) => number));
  const found = new Map<number, string>();
  // A passage and the head of its object may be the same.
  const wanted = [...new Set(numbers)].filter((number) => own.has(objectNumberOf(number)));
  const rows = await rowsOf<{ number: number; terms: string }>(sql, 'terms', wanted);
  for (const { number, terms } of rows) found.set(number, terms);
  return numbers.map((number) => found.get(number) ?? '');
}

/** In one statement: on SQLite to ask for each row costs twice as much, on Postgres each would be a round trip. */
const rowsOf = <Row>(
  sql: Sql,
  columns: string,
  numbers: readonly number[],
): Promise<readonly Row[]> =>
  sql.all<Row>(
    sql.dialect === 'sqlite'
      ? `select number, ${columns} from json_each(?) wanted
         cross join search_passages on number = wanted.value`
      : `select number, ${columns} from search_passages where ${amongNumbers(sql)}`,
    [numbered(sql, numbers)],
  );

export const splitTerms = (terms: string): readonly string[] => (terms ? terms.split(' ') : []);

export async function readTexts(
  sql: Sql,
  ownObjects: ReadObjects,
  numbers: readonly number[],
): Promise<readonly NumberedPassage[]> {
  const objects = await ownObjects([...new Set(numbers.map(objectNumberOf))]);
  const ids = new Map(objects.map(({ number, objectId }) => [number, objectId]));
  const rows = await rowsOf<PassageRow>(sql, 'char_start, char_end, text', numbers);
  return rows.flatMap((row) => {
    const objectId = ids.get(objectNumberOf(row.number));
    const span = spanOf(row);
    return objectId === undefined || span.ord < 0
      ? []
      : [{ ...span, number: row.number, objectId }];
  });
}

export async function readObjects(
  sql: Sql,
  ownerNo: number,
  numbers: readonly number[],
): Promise<readonly NumberedObject[]> {
  const rows = await sql.all<{ number: number; object_id: string; created_at: number }>(
    `select number, object_id, created_at from search_entries
     where ${amongNumbers(sql)} and +owner_no = ?`,
    [numbered(sql, numbers), ownerNo],
  );
  return rows.map((row) => ({
    number: row.number,
    objectId: row.object_id,
    createdAt: row.created_at,
  }));
}

/** A page of the objects with these numbers, in an order of lists. */
export function numbersInOrder(
  sql: Sql,
  { ownerId, ownerNo }: { readonly ownerId: string; readonly ownerNo: number },
  numbers: readonly number[],
  order: ObjectOrder,
  { limit, offset }: PageRequest,
): Promise<number[]> {
  return sql.column<number>(
    `select e.number from search_entries e cross join objects o
     where e.${amongNumbers(sql)} and +e.owner_no = ? and o.owner_id = ? and o.id = e.object_id
     ${orderClause(order, `o.${SORT_ORDERS[order].column}`, 'o.id')} limit ? offset ?`,
    [numbered(sql, numbers), ownerNo, ownerId, limit, offset],
  );
}

/** One search requests the same objects several times. Each is read once, until it may have changed. */
export function keepingObjects(read: ReadObjects): { read: ReadObjects; forget(): void } {
  const kept = new Map<number, NumberedObject>();
  return {
    read: async (numbers) => {
      const missing = numbers.filter((number) => !kept.has(number));
      if (missing.length > 0)
        for (const object of await read(missing)) kept.set(object.number, object);
      return numbers.flatMap((number) => kept.get(number) ?? []);
    },
    forget: () => kept.clear(),
  };
}

/** The condition of a filter on a row of `search_entries`. */
export function conditionsOf(
  sql: Sql,
  ownerId: string,
  filter: SearchFilter,
): { readonly where: string; readonly values: readonly Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const demand = (part: string, ...needed: readonly Value[]) => {
    parts.push(part);
    values.push(...needed);
  };
  if (filter.visibility === 'any') demand(`zone <> 'excluded'`);
  else demand('zone = ?', filter.visibility);
  if (filter.kinds) demand(among(sql, 'kind'), listed(filter.kinds));
  if (filter.docType !== undefined) demand('doc_type = ?', filter.docType);
  if (filter.collectionId === null) demand('collection_id is null');
  else if (filter.collectionId !== undefined) demand('collection_id = ?', filter.collectionId);
  if (filter.collectionIds) demand(among(sql, 'collection_id'), listed(filter.collectionIds));
  if (filter.objectIds) demand(among(sql, 'object_id'), listed(filter.objectIds));
  const conditions = conditionsIn(filter);
  if (conditions) {
    const { visibility } = filter;
    const query = idsQuery(sql.dialect, ownerId, { ...conditions, visibility, trashed: false });
    demand(`object_id in (${query.text})`, ...query.values);
  }
  return { where: parts.join(' and '), values };
}
