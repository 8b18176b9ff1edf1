import type { RowSnapshot, BackupSource, RowValue, TableRow } from '../../../ports/backup.ts';
import type { Database } from '../database.ts';
import { knexInspection } from './inspection.ts';
import type { Migration } from '../schema/migration.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { tablesOfSchema, type TableDefinition } from '../schema/catalogue.ts';
import { placeholders, type Sql } from '../sql.ts';

/** Rows read in one step: of tables with short rows, and of tables whose rows may contain a whole text. */
const SHORT_ROWS = 1_000;
const LONG_ROWS = 100;
/** Fewer of them where a step gave more than so many characters. */
const MUCH = 1_000_000;

/** One reading transaction from `open` to `close`, in steps that are bounded each. */
export const knexBackupSource = (
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): BackupSource => ({
  open: async (): Promise<RowSnapshot> => {
    const { sql, close } = await opened(database);
    try {
      const schema = await versionIn(sql);
      const all = await tablesOfSchema(schema, migrations);
      if (!all) throw new Error(`The database has schema ${schema}, which is not known here.`);
      const tables = all.filter(({ isTransient }) => !isTransient);
      const known = new Map(tables.map((table) => [table.name, table]));
      const inspection = knexInspection({ dialect: sql.dialect, queryOnce: (work) => work(sql) });
      return {
        schema,
        tables: tables.map(({ name, columns }) => ({ name, columns: columns.map(([it]) => it) })),
        rows: (name) => {
          const table = known.get(name);
          if (!table) throw new Error(`There is no table ${name}.`);
          return pagesOf(sql, table);
        },
        sealed: () => sealedIn(sql, tables),
        blobReferences: (after, limit) => inspection.blobReferences(after, limit),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  },
});

/** A read transaction that stays open until it is closed. Its first statement fixes the snapshot. */
async function opened({ read }: Database): Promise<{ sql: Sql; close: () => Promise<void> }> {
  const begun = Promise.withResolvers<Sql>();
  const over = Promise.withResolvers<void>();
  const reading = read(async (sql) => {
    begun.resolve(sql);
    await over.promise;
  });
  reading.catch(begun.reject);
  const sql = await begun.promise;
  // The consumer of the rows may be slow.
  if (sql.dialect === 'postgres')
    await sql.run("set local idle_in_transaction_session_timeout = '1h'");
  return {
    sql,
    close: async () => {
      over.resolve();
      await reading;
    },
  };
}

async function versionIn(sql: Sql): Promise<number> {
  const row = await sql.get<{ v: number }>('select max(version) as v from schema_versions');
  return row?.v ?? 0;
}

/** In the order of the key, each step from where the last one ended. */
async function* pagesOf(
  sql: Sql,
  { name, columns, key, hasShortRows }: TableDefinition,
): AsyncGenerator<readonly TableRow[]> {
  const names = columns.map(([column]) => column);
  const ordered = key.join(', ');
  const select = (where: string) =>
    `select ${names.join(', ')} from ${name} ${where} order by ${ordered} limit ?`;
  const first = select('');
  const onward = select(`where (${ordered}) > (${placeholders(key.length)})`);
  const most = hasShortRows ? SHORT_ROWS : LONG_ROWS;
  let limit = most;
  for (let last: readonly RowValue[] | undefined; ;) {
    const found = await sql.all<Record<string, RowValue>>(last ? onward : first, [
      ...(last ?? []),
      limit,
    ]);
    const end = found.at(-1);
    if (!end) return;
    const rows = found.map((row) => names.map((column) => valueIn(row, column)));
    yield rows;
    if (found.length < limit) return;
    last = key.map((column) => valueIn(end, column));
    limit = lengthOf(rows) > MUCH ? Math.ceil(limit / 4) : Math.min(limit * 2, most);
  }
}

const valueIn = (row: Readonly<Record<string, RowValue>>, column: string): RowValue =>
  (Object.hasOwn(row, column) ? row[column] : undefined) ?? null;

const lengthOf = (rows: readonly TableRow[]): number =>
  rows.reduce(
    (sum, row) =>
      row.reduce<number>((n, value) => n + (typeof value === 'string' ? value.length : 8), sum),
    0,
  );

/** Columns with sealed hashes, and with hashes from before they were sealed. */
const HASH_COLUMNS = ['pin_hash', 'password_hash'];

/** By the name of their column. */
async function sealedIn(sql: Sql, tables: readonly TableDefinition[]): Promise<readonly string[]> {
  const sealed: string[] = [];
  for (const { name, columns } of tables)
    for (const [column] of columns) {
      if (!column.startsWith('sealed_') && !HASH_COLUMNS.includes(column)) continue;
      const rows = await sql.all<{ sealed: string }>(
        `select ${column} as sealed from ${name} where ${column} is not null
         and ${column} not like '$%'`,
      );
      sealed.push(...rows.map((row) => row.sealed));
    }
  return sealed;
}
