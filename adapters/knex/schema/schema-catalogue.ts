import { openSqlite } from '../sqlite/open.ts';
import type { TypedColumn } from '../bulk-rows.ts';
import { MIGRATIONS, migrate } from '../migrations/index.ts';

/** A table as both databases have it. */
export interface CataloguedTable {
  readonly name: string;
  readonly columns: readonly TypedColumn[];
  readonly key: readonly string[];
  /** Its rows are short. */
  readonly short: boolean;
  /** See `KnownTable` (ports/backup.ts). */
  readonly isTransient: boolean;
}

/** What no other installation can use, or makes for itself. */
const LEFT_OUT = /^(sqlite_.*|schema_versions|blob_holds|search_terms(_.*)?)$/;
const TRANSIENT: readonly string[] = [
  'receipts',
  'unlock_tokens',
  'share_accesses',
  'agent_confirmations',
];
/** The only tables that others refer to by a constraint. */
const FIRST = ['tenants', 'owners'];

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/**
 * The tables of a version of the schema, those that others refer to first; undefined where there is no such version.
 * They are read off a schema made in memory, so that a migration to come need not tell of its tables twice, and that
 * nothing is taken for ours that merely lies in the same database.
 */
export async function catalogueOf(
  version: number,
): Promise<readonly CataloguedTable[] | undefined> {
  if (!MIGRATIONS.some((migration) => migration.version === version)) return undefined;
  const database = openSqlite(':memory:');
  try {
    await migrate(
      database,
      MIGRATIONS.filter((migration) => migration.version <= version),
    );
    return await database.write('', async (sql) => {
      const found = await sql.all<{ name: string; sql: string }>(
        "select name, sql from sqlite_master where type = 'table' order by name",
      );
      const tables: CataloguedTable[] = [];
      for (const { name, sql: text } of found.filter((table) => !LEFT_OUT.test(table.name))) {
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
          short: /without rowid/i.test(text),
          isTransient: TRANSIENT.includes(name),
        });
      }
      const rank = ({ name }: CataloguedTable) =>
        FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
      return tables.sort((a, b) => rank(a) - rank(b));
    });
  } finally {
    await database.close();
  }
}
