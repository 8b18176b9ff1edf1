import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';
import type { Database } from '../adapters/knex/database.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';

export type Dialect = Database['dialect'];

/** A database that is there: a file, or the address of one of a server. */
export interface Place {
  readonly dialect: Dialect;
  readonly at: string;
}

export const SCHEMAS = join(import.meta.dirname, 'samples/schemas');
export const fixtureName = (version: number, dialect: Dialect): string =>
  `${String(version).padStart(3, '0')}.${dialect}.sql`;

export const openPlace = ({ dialect, at }: Place): Database =>
  dialect === 'sqlite' ? openSqlite(at) : openPostgres(at);

/** The table of versions as builds from before the first release created it. */
export const EARLY_VERSIONS =
  'create table schema_versions (version integer not null primary key, name text not null)';

/** Adds the versions up to this one as such a build wrote them. Its first migration was `workspace`. */
export async function addEarlyVersions({ knex }: Database, upTo: number): Promise<void> {
  const versions = Array.from({ length: upTo }, (_, i) => i + 1);
  await knex('schema_versions')
    .insert(versions.map((version) => ({ version, name: version === 1 ? 'workspace' : 'later' })))
    .onConflict('version')
    .ignore();
}

/** Runs a script of many statements, in the transaction that is open where there is one. */
export async function runScript({ knex, dialect }: Database, script: string): Promise<void> {
  const client = knex.client as Knex.Client;
  const connection = (await client.acquireConnection()) as BetterSqlite3.Database & pg.Client;
  try {
    if (dialect === 'postgres') await connection.query(script);
    // At once: each statement for itself would wait for the disk.
    else connection.exec(connection.inTransaction ? script : `begin;\n${script}\ncommit;`);
  } finally {
    await client.releaseConnection(connection);
  }
}

type Row = Readonly<Record<string, unknown>>;

const asked = async (database: Database, text: string): Promise<readonly Row[]> => {
  const answer = (await database.knex.raw(text)) as Row[] | { rows: Row[] };
  return Array.isArray(answer) ? answer : answer.rows;
};

const TABLES = {
  // What a virtual table is made of is its own affair.
  sqlite: `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
    and name not like 'sqlite%' order by name`,
  postgres: `select relname as name from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace order by relname`,
};

/** Everything that distinguishes schemas, one per line: tables, columns, keys, indexes. */
const DETAILS = {
  sqlite: [
    `select name, type, wr, strict from pragma_table_list where schema = 'main'`,
    `select t.name, c.name as "column", c.type, c."notnull", c.dflt_value, c.pk, c.hidden
      from pragma_table_list t, pragma_table_xinfo(t.name) c where t.schema = 'main'`,
    `select t.name, f."from", f."table", f."to", f.on_update, f.on_delete
      from pragma_table_list t, pragma_foreign_key_list(t.name) f where t.schema = 'main'`,
    `select t.name, i.name as "index", i."unique", i.origin, i.partial, x.seqno, x.name as "column", x."desc", x.coll, x.key
      from pragma_table_list t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) x where t.schema = 'main'`,
    `select type, name, sql from sqlite_master where type in ('index', 'trigger', 'view') and sql is not null`,
  ],
  postgres: [
    `select c.relname, c.relkind, c.reloptions, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attstorage, a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid) as by_default
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'S')`,
    `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as is from pg_constraint
      where connamespace = 'public'::regnamespace`,
    `select tablename, indexdef from pg_indexes where schemaname = 'public'`,
    `select tgname, pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal`,
    `select proname, pg_get_functiondef(oid) as is from pg_proc where pronamespace = 'public'::regnamespace`,
  ],
};

// However a statement was broken into lines.
const sorted = (rows: readonly Row[]): string[] =>
  rows.map((row) => JSON.stringify(row).replaceAll(/(\\n|\s)+/g, ' ')).sort();

export async function describeSchema(database: Database): Promise<readonly string[]> {
  const all = [];
  for (const text of DETAILS[database.dialect]) all.push(...sorted(await asked(database, text)));
  return all;
}

const tablesOf = async (database: Database): Promise<readonly string[]> =>
  (await asked(database, TABLES[database.dialect])).map(({ name }) => String(name));

/** The rows of every table. */
export async function rowsOf(database: Database): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = await tablesOf(database);
  const texts = tables.map((table) => `select * from ${table}`);
  if (database.dialect === 'postgres') {
    // All in one query: the round trip takes longer than the query.
    const answers = await database.knex.raw<{ rows: Row[] }[]>(texts.join(';'));
    return new Map(tables.map((table, nth) => [table, answers[nth]?.rows ?? []]));
  }
  const all = new Map<string, readonly Row[]>();
  for (const [nth, text] of texts.entries())
    all.set(tables[nth] ?? '', await asked(database, text));
  return all;
}

const ROWS = [0, 1];

/** A script that makes what a program of that version left behind: its schema, and rows in all of its tables. */
export async function dumpOf(place: Place, version: number): Promise<string> {
  const database = openPlace(place);
  try {
    await migrate(
      database,
      MIGRATIONS.filter((each) => each.version <= version),
    );
    const schema = await (place.dialect === 'sqlite' ? sqliteSchema(database) : pgSchema(place));
    const rows = [];
    for (const table of await tablesOf(database)) rows.push(...(await insertsOf(database, table)));
    // Owners follow tenants, whichever comes first by name.
    rows.sort((a, b) => Number(/into tenants/.test(b)) - Number(/into tenants/.test(a)));
    return `${[...schema, ...rows].join('\n')}\n`;
  } finally {
    await database.close();
  }
}

async function insertsOf(database: Database, table: string): Promise<readonly string[]> {
  if (table === 'schema_versions')
    return MIGRATIONS.slice(0, (await asked(database, 'select 1 from schema_versions')).length).map(
      ({ version, name }) =>
        `insert into schema_versions (version, name) values (${version}, '${name}');`,
    );
  const columns = await asked(
    database,
    database.dialect === 'sqlite'
      ? `select name, type from pragma_table_xinfo('${table}') where hidden = 0`
      : `select column_name as name, data_type as type from information_schema.columns
          where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
  );
  const fts = columns.length === 1 && table === 'search_terms';
  const names = [...(fts ? ['rowid'] : []), ...columns.map(({ name }) => String(name))];
  const rows = ROWS.map((n) => {
    const values = columns.map(({ type }) => valueOf(String(type), n));
    return `  (${[...(fts ? [n] : []), ...values].join(', ')})`;
  });
  return [`insert into ${table} (${names.join(', ')}) values\n${rows.join(',\n')};`];
}

/** The same value in every column, so that references are valid; valid JSON too, since some columns are JSON. */
function valueOf(type: string, n: number): string {
  if (/int/i.test(type)) return String(n);
  if (type === 'tsvector') return `'''lamp${n}'':1'`;
  return `'["лето ${n}"]'`;
}

async function sqliteSchema(database: Database): Promise<readonly string[]> {
  const created = await asked(
    database,
    `select m.sql, m.name from sqlite_master m left join pragma_table_list t on t.name = m.tbl_name
      where m.sql is not null and t.type <> 'shadow' and m.name not like 'sqlite%' order by m.rowid`,
  );
  const settings = await asked(
    database,
    `select k, v from search_terms_config where k <> 'version'`,
  );
  return [
    ...created.map(({ sql }) => `${String(sql).replace(/\n\s+/g, '\n  ')};`),
    ...settings.map(
      ({ k, v }) =>
        `insert into search_terms (search_terms, rank) values ('${String(k)}', ${String(v)});`,
    ),
  ];
}

async function pgSchema({ at }: Place): Promise<readonly string[]> {
  const words = ['--schema-only', '--no-owner', '--no-privileges', '--schema', 'public', at];
  const { stdout } = await promisify(execFile)(pgDump(), words);
  // A newer pg_dump writes psql commands and settings of newer servers.
  return stdout
    .split('\n')
    .filter(
      (line) => line !== '' && !/^(--|\\|SET |SELECT |CREATE SCHEMA|COMMENT ON SCHEMA)/.test(line),
    );
}

/** From the path, or from Debian's folder for the server's programs. */
function pgDump(): string {
  const root = '/usr/lib/postgresql';
  try {
    const newest = readdirSync(root)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1);
    return newest === undefined ? 'pg_dump' : join(root, newest, 'bin/pg_dump');
  } catch {
    return 'pg_dump';
  }
}
