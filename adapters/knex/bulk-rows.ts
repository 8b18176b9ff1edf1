import type { Sql, Value } from './sql.ts';

/** A column, and its type in Postgres. */
export type TypedColumn = readonly [name: string, type: 'text' | 'bigint' | 'smallint'];

/** The columns of rows that a statement gets as one JSON value. */
const rowColumns = (sql: Pick<Sql, 'dialect'>, columns: readonly TypedColumn[]): string =>
  columns
    .map(([name, type], i) =>
      sql.dialect === 'sqlite' ? `value->>${i} as ${name}` : `(value->>${i})::${type} as ${name}`,
    )
    .join(', ');

const from = (sql: Pick<Sql, 'dialect'>): string =>
  sql.dialect === 'sqlite' ? 'json_each(?)' : 'json_array_elements(?::json)';

/** `(select … )` over rows in one JSON value, so that one prepared statement serves any number of rows. */
export const rowsTable = (sql: Pick<Sql, 'dialect'>, columns: readonly TypedColumn[]): string =>
  `(select ${rowColumns(sql, columns)} from ${from(sql)})`;

export const rowsAsJson = (rows: readonly (readonly Value[])[]): Value => JSON.stringify(rows);

/** Inserts or replaces many rows of one owner in one statement. Their keys must differ. */
export async function upsertMany(
  sql: Sql,
  table: string,
  columns: readonly TypedColumn[],
  key: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map(([name]) => name);
  const changes = names
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  // Without `where`, SQLite would parse `on conflict` as the condition of a join.
  await sql.enqueueChange(
    `insert into ${table} (${names.join(', ')})
     select ${names.join(', ')} from ${rowsTable(sql, columns)} as rows where true
     on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`,
    [rowsAsJson(rows)],
  );
}
