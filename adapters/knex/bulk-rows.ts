import type { Sql, Value } from './sql.ts';

/** A column, and its type in Postgres. */
export type TypedColumn = readonly [name: string, type: 'text' | 'bigint' | 'smallint'];

/** Of a statement that is given many rows as one value: their columns, from the first parameter that is free. */
const taken = (sql: Pick<Sql, 'dialect'>, columns: readonly TypedColumn[]): string =>
  columns
    .map(([name, type], i) =>
      sql.dialect === 'sqlite' ? `value->>${i} as ${name}` : `(value->>${i})::${type} as ${name}`,
    )
    .join(', ');

const from = (sql: Pick<Sql, 'dialect'>): string =>
  sql.dialect === 'sqlite' ? 'json_each(?)' : 'json_array_elements(?::json)';

/** `(select … )` over rows that travel as one value, so that one kept statement serves any number of them. */
export const rowsTable = (sql: Pick<Sql, 'dialect'>, columns: readonly TypedColumn[]): string =>
  `(select ${taken(sql, columns)} from ${from(sql)})`;

export const asOne = (rows: readonly (readonly Value[])[]): Value => JSON.stringify(rows);

/** Inserts or replaces many rows of one owner in one statement; no two of them may have one key. */
export async function saveMany(
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
  // SQLite would take `on conflict` for the condition of a join, were there no `where`.
  await sql.change(
    `insert into ${table} (${names.join(', ')})
     select ${names.join(', ')} from ${rowsTable(sql, columns)} as rows where true
     on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`,
    [asOne(rows)],
  );
}
