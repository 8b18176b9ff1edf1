import type { Knex } from 'knex';
import {
  RestoreSupersededError,
  type EndedAccess,
  type KnownTable,
  type RestoreTarget,
  type TableRow,
} from '../../../ports/backup.ts';
import { resetAccess } from './access-reset.ts';
import type { Database } from '../database.ts';
import { recordRestore } from './restore-events.ts';
import { expireLeasesIn } from './leases.ts';
import { rowsAsJson, rowsTable } from '../bulk-rows.ts';
import { applyMigrations, inSchemaTransaction } from '../schema/migrate.ts';
import type { Migration } from '../schema/migration.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { invalidateSnapshots } from '../sqlite/snapshots.ts';
import { tablesOfSchema, type TableDefinition } from '../schema/catalogue.ts';
import { rebuildIndex } from '../search/search-rebuild.ts';
import { placeholders, type Sql } from '../sql.ts';
import { transactionSql } from '../pool.ts';

/** There only while a filling is under way, or was when its process died. */
const MARK = 'restore_begun';

/** Whether a restore has begun and not ended: no process may use the data. */
export const isRestoreInProgress = async (database: Database): Promise<boolean> =>
  (await tablesIn(database)).has(MARK);

/** Needs no database: the schema is this program's own. */
export const tablesOf = async (
  schema: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly KnownTable[] | undefined> =>
  (await tablesOfSchema(schema, migrations))?.map(({ name, columns, isTransient }) => ({
    name,
    isTransient,
    columns: columns.map(([column]) => column),
  }));

/** Schema, rows, index and the mark of the restore are written in one transaction. */
export const knexRestoreTarget = (
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): RestoreTarget => ({
  state: async () => {
    const there = await tablesIn(database);
    if (there.has(MARK)) return 'begun';
    const newest = migrations.at(-1)?.version ?? 0;
    const ours = ((await tablesOfSchema(newest, migrations)) ?? []).map(({ name }) => name);
    return ['schema_versions', ...ours].some((name) => there.has(name)) ? 'used' : 'empty';
  },
  tablesOf: (schema) => tablesOf(schema, migrations),
  begin: (mark) =>
    inSchemaTransaction(database, async (trx) => {
      await trx.raw(`create table if not exists ${MARK} (mark text not null)`);
      await trx(MARK).delete();
      await trx(MARK).insert({ mark });
    }),
  fill: async (mark, schema, rows, closing) => {
    const tables = await tablesOfSchema(schema, migrations);
    if (!tables) throw new Error(`Schema ${schema} is not known here.`);
    let ended: EndedAccess | undefined;
    await inSchemaTransaction(database, async (trx) => {
      await requireMark(trx, mark);
      const upTo = migrations.filter(({ version }) => version <= schema);
      await applyMigrations(trx, database.dialect, upTo);
      const sql = await transactionSql(trx, database.dialect);
      for (const table of tables) {
        if (table.isTransient) continue;
        const shape = { name: table.name, columns: table.columns.map(([column]) => column) };
        for await (const page of rows(shape)) await insert(sql, table, page);
        await numberOn(sql, table);
      }
      await expireLeasesIn(sql);
      await applyMigrations(trx, database.dialect, migrations);
      ended = closing?.reset && (await resetAccess(sql, closing.reset));
      if (closing) await recordRestore(sql, closing, ended?.issued);
      await rebuildIndex(sql);
      await trx.raw(`drop table ${MARK}`);
    });
    invalidateSnapshots();
    return ended;
  },
});

async function tablesIn({ knex, dialect }: Database): Promise<ReadonlySet<string>> {
  const found =
    dialect === 'sqlite'
      ? knex('sqlite_master').where({ type: 'table' }).select('name')
      : knex('information_schema.tables')
          .whereRaw('table_schema = current_schema()')
          .select({ name: 'table_name' });
  const rows = (await found) as readonly { readonly name: string }[];
  return new Set(rows.map(({ name }) => name));
}

async function requireMark(trx: Knex.Transaction, mark: string): Promise<void> {
  const there = await trx.schema.hasTable(MARK);
  const found = there ? await trx(MARK).where({ mark }).select('mark') : [];
  if (found.length === 0)
    throw new RestoreSupersededError('Another restore into the same place has begun since.');
}

async function insert(
  sql: Sql,
  { name, columns }: TableDefinition,
  rows: readonly TableRow[],
): Promise<void> {
  const names = columns.map(([column]) => column).join(', ');
  if (sql.dialect === 'postgres') {
    const from = rowsTable(sql, columns);
    await sql.run(`insert into ${name} (${names}) select ${names} from ${from} as rows`, [
      rowsAsJson(rows),
    ]);
    return;
  }
  const text = `insert into ${name} (${names}) values (${placeholders(columns.length)})`;
  for (const row of rows) await sql.run(text, row);
}

/** SQLite does this automatically. A sequence of Postgres does not notice rows that were inserted with a number. */
async function numberOn(sql: Sql, { name, key }: TableDefinition): Promise<void> {
  const [column, ...more] = key;
  if (sql.dialect === 'sqlite' || column === undefined || more.length > 0) return;
  const found = await sql.get<{ seq: string | null }>(
    `select pg_get_serial_sequence('${name}', '${column}') as seq`,
  );
  const sequence = found?.seq;
  if (!sequence) return;
  await sql.run(
    `select setval('${sequence}', (select coalesce(max(${column}), 0) + 1 from ${name}), false)`,
  );
}
