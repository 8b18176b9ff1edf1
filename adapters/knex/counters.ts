import { placeholders, type Sql, type Value } from './sql.ts';

/** A counter table: the owner, the columns that identify the counter, and `n`. */
export interface CountTable {
  readonly name: string;
  readonly columns: readonly string[];
}

type Key = readonly (string | number)[];

/**
 * Moves one row from its previous counters to its current ones. Counters change in the same transaction as the rows
 * they count, so lists never count rows. A counter that reaches zero is deleted.
 */
export async function shiftCounter(
  sql: Sql,
  ownerId: string,
  table: CountTable,
  before: readonly Key[],
  after: readonly Key[],
): Promise<void> {
  const changes = new Map<string, { readonly key: Key; by: number }>();
  const note = (by: number) => (key: Key) => {
    const name = JSON.stringify(key);
    const change = changes.get(name) ?? { key, by: 0 };
    change.by += by;
    changes.set(name, change);
  };
  before.forEach(note(-1));
  after.forEach(note(1));
  const moved = [...changes.values()].filter((change) => change.by !== 0);
  if (moved.length === 0) return;
  const values = moved.flatMap(({ key, by }) => [ownerId, ...key, by]);
  const drop = (key: Key) => sql.enqueueChange(dropText(table), [ownerId, ...key]);
  if (sql.dialect === 'postgres') {
    // Only counters that may have reached zero need a further statement, so that the new values need not be awaited.
    await sql.enqueueChange(changeText(table, moved.length), values);
    for (const { key, by } of moved) if (by < 0) await drop(key);
    return;
  }
  const text = `${changeText(table, moved.length)} returning ${table.columns.join(', ')}, n`;
  const rows = await sql.all<Record<string, Value>>(text, values);
  for (const row of rows.filter((each) => each['n'] === 0))
    await drop(
      table.columns.map(
        (column) => (Object.hasOwn(row, column) ? row[column] : null) as string | number,
      ),
    );
}

function changeText({ name, columns }: CountTable, rows: number): string {
  const all = ['owner_id', ...columns];
  const row = `(${placeholders(all.length + 1)})`;
  const values = Array.from({ length: rows }, () => row).join(', ');
  return `insert into ${name} (${all.join(', ')}, n) values ${values}
    on conflict (${all.join(', ')}) do update set n = ${name}.n + excluded.n`;
}

const dropText = ({ name, columns }: CountTable): string =>
  `delete from ${name} where owner_id = ? and ${columns.map((c) => `${c} = ?`).join(' and ')} and n = 0`;

const LISTS: CountTable = { name: 'list_counts', columns: ['list', 'part'] };

/** The counters of one short list of an owner. Its parts do not overlap; a total is the sum of some of them. */
export interface ListCounts {
  move(before: readonly string[], after: readonly string[]): Promise<void>;
  total(parts: readonly string[]): Promise<number>;
}

export function listCounts(sql: Sql, ownerId: string, list: string): ListCounts {
  const keys = (parts: readonly string[]) => parts.map((part) => [list, part]);
  return {
    move: (before, after) => shiftCounter(sql, ownerId, LISTS, keys(before), keys(after)),
    total: async (parts) => {
      const row = await sql.get<{ n: number }>(
        `select coalesce(sum(n), 0) as n from list_counts
         where owner_id = ? and list = ? and part in (${placeholders(parts.length)})`,
        [ownerId, list, ...parts],
      );
      return row?.n ?? 0;
    },
  };
}
