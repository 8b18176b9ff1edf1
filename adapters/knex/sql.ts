export type Value = string | number | null | Uint8Array;

/**
 * One connection for the length of a unit of work. SQL is written once for both databases, with `?` for values. Every
 * text is prepared once per connection, which on SQLite is thirteen times faster than preparing it for every use.
 */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  all<Row>(text: string, values?: readonly Value[]): Promise<Row[]>;
  get<Row>(text: string, values?: readonly Value[]): Promise<Row | undefined>;
  /** The first column of every row. Costs a quarter of what rows of one number cost. */
  column<T>(text: string, values?: readonly Value[]): Promise<T[]>;
  /** Resolves with the number of changed rows. */
  run(text: string, values?: readonly Value[]): Promise<number>;
  /**
   * A change without a result. It runs after the statements before it and ahead of those behind it. It may resolve
   * before it has run: an error is reported by a later statement, at the latest by the end of the unit.
   */
  enqueueChange(text: string, values?: readonly Value[]): Promise<void>;
  /** Lets other work of the process run. SQLite is synchronous, so a long loop would block the process. */
  yield(): Promise<void>;
}

/** The same for the code that opens and closes the unit. */
export interface OpenSql extends Sql {
  /** From here on every call rejects. */
  end(): void;
  /** Why nothing of the unit may be committed, although its work has resolved. Complete after the commit. */
  readonly failure?: { readonly reason: unknown } | undefined;
}

const MAX_PLACEHOLDERS = 256;

/** `?, ?, ?` for `count` values. */
export const placeholders = (count: number): string => '?, '.repeat(count).slice(0, -2);

/**
 * Ids padded to one of a few lengths by repeating the last one, so that queries by ids share a few prepared statements.
 */
export function padded(ids: readonly string[]): readonly string[] {
  const last = ids.at(-1);
  if (last === undefined) return ids;
  let size = 1;
  while (size < ids.length) size *= 4;
  return [...ids, ...Array.from({ length: size - ids.length }, () => last)];
}

/** The rows of many ids, in queries of bounded length. `first` are the values before the ids. */
export async function selectByIds<Row>(
  sql: Sql,
  text: (placeholders: string) => string,
  first: readonly Value[],
  ids: readonly string[],
): Promise<Row[]> {
  const distinct = [...new Set(ids)];
  const rows: Row[] = [];
  for (let from = 0; from < distinct.length; from += MAX_PLACEHOLDERS) {
    const some = padded(distinct.slice(from, from + MAX_PLACEHOLDERS));
    rows.push(...(await sql.all<Row>(text(placeholders(some.length)), [...first, ...some])));
  }
  return rows;
}

/** `insert into table (…) values (…) on conflict (key) do update set …`, the same text for both databases. */
export function upsertText(
  table: string,
  columns: readonly string[],
  key: readonly string[],
): string {
  const changed = columns.filter((column) => !key.includes(column));
  const changes = changed.map((column) => `${column} = excluded.${column}`).join(', ');
  const insert = `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns.length)})`;
  return `${insert} on conflict (${key.join(', ')}) do ${changes ? `update set ${changes}` : 'nothing'}`;
}

/**
 * Makes a query use an index with the requested order. SQLite without statistics may choose an index that makes it sort.
 * Postgres has no such clause and collects statistics automatically.
 */
export const indexedBy = (sql: Pick<Sql, 'dialect'>, index: string): string =>
  sql.dialect === 'sqlite' ? ` indexed by ${index}` : '';
