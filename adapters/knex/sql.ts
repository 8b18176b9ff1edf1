export type Value = string | number | null | Uint8Array;

/**
 * One connection for the length of a unit of work. SQL is written once for both databases, with `?` for values;
 * every text is prepared once per connection and kept, which on SQLite is thirteen times faster than building it anew.
 */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  all<Row>(text: string, values?: readonly Value[]): Promise<Row[]>;
  get<Row>(text: string, values?: readonly Value[]): Promise<Row | undefined>;
  /** The first column of every row: of thousands of numbers a quarter of what the rows would cost. */
  column<T>(text: string, values?: readonly Value[]): Promise<T[]>;
  /** Answers how many rows changed. */
  run(text: string, values?: readonly Value[]): Promise<number>;
  /**
   * A change that nobody counts. It comes after whatever was asked for before and ahead of whatever is asked for next,
   * and may resolve before it was made: what it is refused for is told by what follows, at the latest by the commit.
   */
  change(text: string, values?: readonly Value[]): Promise<void>;
  /** Lets others have their turn: SQLite answers at once, so that a long loop would freeze everybody. */
  breathe(): Promise<void>;
}

/** The same, for whoever opens and closes the unit. */
export interface OpenSql extends Sql {
  /** From here on every call rejects. */
  end(): void;
  /** Why nothing of the unit may be committed, although its work has resolved. Complete after the commit. */
  readonly failure?: { readonly reason: unknown } | undefined;
}

const MOST_MARKS = 256;

/** `?, ?, ?` for `count` values. */
export const marks = (count: number): string => '?, '.repeat(count).slice(0, -2);

/**
 * Ids as a statement sees them, padded to one of a few lengths by repeating the last one, so that look-ups of many
 * ids share a handful of kept statements.
 */
export function padded(ids: readonly string[]): readonly string[] {
  const last = ids.at(-1);
  if (last === undefined) return ids;
  let size = 1;
  while (size < ids.length) size *= 4;
  return [...ids, ...Array.from({ length: size - ids.length }, () => last)];
}

/** The rows of many ids, in bounded steps. `text` is given the marks; `first` are the values before the ids. */
export async function lookUp<Row>(
  sql: Sql,
  text: (marks: string) => string,
  first: readonly Value[],
  ids: readonly string[],
): Promise<Row[]> {
  const distinct = [...new Set(ids)];
  const rows: Row[] = [];
  for (let from = 0; from < distinct.length; from += MOST_MARKS) {
    const some = padded(distinct.slice(from, from + MOST_MARKS));
    rows.push(...(await sql.all<Row>(text(marks(some.length)), [...first, ...some])));
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
  const insert = `insert into ${table} (${columns.join(', ')}) values (${marks(columns.length)})`;
  return `${insert} on conflict (${key.join(', ')}) do ${changes ? `update set ${changes}` : 'nothing'}`;
}

/**
 * Binds the reading of a table to an index that has the order asked for. SQLite without statistics may prefer an
 * index that makes it sort; Postgres has no such clause and keeps statistics by itself.
 */
export const indexedBy = (sql: Pick<Sql, 'dialect'>, index: string): string =>
  sql.dialect === 'sqlite' ? ` indexed by ${index}` : '';
