import type { TypedColumn } from '../bulk-rows.ts';
import { openSqlite } from '../sqlite/open.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

/** A table as both databases have it. */
export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly TypedColumn[];
  readonly key: readonly string[];
  readonly hasShortRows: boolean;
  /** See `KnownTable` (ports/backup.ts). */
  readonly isTransient: boolean;
}

/** Tables that another installation cannot use, or creates itself. */
const EXCLUDED = /^(sqlite_.*|schema_versions|deletion_holds|search_terms(_.*)?)$/;
const TRANSIENT: readonly string[] = [
  'idempotency_records',
  'unlock_tokens',
  'share_accesses',
  'agent_confirmations',
  'one_time_secrets',
  'sessions',
  'sign_in_attempts',
];
/** The only tables that foreign keys refer to. */
const REFERENCED = ['tenants', 'owners'];

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/**
 * The tables of a version of the schema, referenced tables first; undefined if there is no such version. They are read from
 * a schema made in memory: a new migration need not list its tables twice, and other tables in a database are ignored.
 */
export async function tablesOfSchema(
  version: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly TableDefinition[] | undefined> {
  if (!migrations.some((migration) => migration.version === version)) return undefined;
  const database = openSqlite(':memory:');
  try {
    await migrate(
      database,
      migrations.filter((migration) => migration.version <= version),
    );
    return await database.write('', async (sql) => {
      const found = await sql.all<{ name: string; sql: string }>(
        "select name, sql from sqlite_master where type = 'table' order by name",
      );
      const tables: TableDefinition[] = [];
      for (const { name, sql: text } of found.filter((table) => !EXCLUDED.test(table.name))) {
        const columns = await sql.all<ColumnRow>(
          'select name, type, pk from pragma_table_info(?) order by cid',
          [name],
        );
        tables.push({
          name,
          columns: columns.map((it) => [it.name, /int/i.test(it.type) ? 'bigint' : 'text']),
          key: columns
            .filter(({ pk }) => pk > 0)
            .sort((a, b) => a.pk - b.pk)
            .map((it) => it.name),
          hasShortRows: /without rowid/i.test(text),
          isTransient: TRANSIENT.includes(name),
        });
      }
      const rank = ({ name }: TableDefinition) =>
        REFERENCED.includes(name) ? REFERENCED.indexOf(name) : REFERENCED.length;
      return tables.sort((a, b) => rank(a) - rank(b));
    });
  } finally {
    await database.close();
  }
}
