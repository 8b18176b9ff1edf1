import type { Database } from '../adapters/knex/database.ts';
import { cryptoRandom, sha256Digest } from '../adapters/node/system.ts';
import { titleRowNumber } from '../ports/search.ts';
import { fillDatabase } from './data.ts';

/** A client, with the ids it can request. */
export interface Client {
  readonly bearer: string;
  readonly objectId: string;
  readonly folderId: string;
}

/** Tables with rows of every owner, none of which refers to another owner. */
const TABLES = [
  'collections',
  'contents',
  'list_counts',
  'notification_states',
  'notifications',
  'object_counts',
  'objects',
  'owner_usage',
  'versions',
];
/** Rows per statement, well within the statement timeout. */
const ROWS = 20_000;

/**
 * Creates so many owners of `count` objects each, in a database with existing tables. The first is filled like any
 * other workspace of these benchmarks. The others are copies made in the database: other owners, tokens and blobs, the
 * same ids and times, since ids are unique only within an owner. Copies of one row are written side by side, as they
 * would be if all owners worked at the same time, so the rows of an owner are far apart. Only the first has the bytes
 * of its files, because nothing here reads them; the service's doctor finds nothing else. The database should be
 * vacuumed afterwards. Returns `clients` of them, cycling through the owners.
 */
export async function fillOwners(
  database: Database,
  dataDir: string,
  { owners, count, clients }: { owners: number; count: number; clients: number },
): Promise<readonly Client[]> {
  const first = await fillDatabase(database, dataDir, count);
  const bearers = [first.bearer];
  if (owners > 1) bearers.push(...(await addOwners(database, first.ownerId, owners - 1)));
  const { folderId } = first;
  const objects = await database.queryOnce((sql) =>
    sql.all<{ id: string }>(
      'select id from objects where owner_id = ? and is_hidden = 0 and trashed = 0 order by created_at',
      [first.ownerId],
    ),
  );
  return Array.from({ length: clients }, (_, n) => ({
    bearer: bearers[n % owners] ?? '',
    objectId: objects[n % objects.length]?.id ?? first.objectId,
    folderId,
  }));
}

async function addOwners(
  database: Database,
  template: string,
  copies: number,
): Promise<readonly string[]> {
  const run = (text: string, ...values: (string | number)[]) =>
    database.write(template, (sql) => sql.run(text, values));
  await run(
    `create table bench_owners (n integer primary key, owner_id text, token_id text, prefix text,
     digest text, owner_no integer)`,
  );
  const bearers = await database.write(template, async (sql) => {
    const all: string[] = [];
    for (let n = 0; n < copies; n++) {
      const prefix = `copy${n.toString(36).padStart(4, '0')}`;
      const bearer = `owt_${prefix}_${cryptoRandom.secret(32)}`;
      await sql.run('insert into bench_owners values (?, ?, ?, ?, ?, null)', [
        ...[n, cryptoRandom.uuid(), cryptoRandom.uuid(), prefix],
        sha256Digest.digest(bearer),
      ]);
      all.push(bearer);
    }
    return all;
  });
  await run(
    `insert into owners (id, tenant_id, name, role, created_at)
     select b.owner_id, o.tenant_id, o.name || ' ' || b.n, o.role, o.created_at
     from owners o cross join bench_owners b where o.id = ? order by b.n`,
    template,
  );
  const copy = (table: string, other: Readonly<Record<string, string>> = {}) =>
    copyRows(database, template, copies, table, other);
  await copy('tokens', { id: 'b.token_id', prefix: 'b.prefix', digest: 'b.digest' });
  for (const table of TABLES) await copy(table);
  await copySearch(database, template, copies);
  await run('drop table bench_owners');
  return bearers;
}

/** The rows of one owner copied for all others, with `other` replacing some columns. */
async function copyRows(
  database: Database,
  template: string,
  copies: number,
  table: string,
  other: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await database.queryOnce((sql) =>
    sql.all<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = ? order by ordinal_position`,
      [table],
    ),
  );
  const changed: Readonly<Record<string, string>> = {
    owner_id: 'b.owner_id',
    // Owners never share a blob.
    blob_id: 'md5(b.owner_id || t.blob_id)::uuid::text',
    ...other,
  };
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `t.${name}`);
  await inSlices(
    database,
    template,
    copies,
    `select * from ${table} where owner_id = ?`,
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}`,
  );
}

/** The index prefixes each term with the number of its owner, and each passage with that of its object. */
async function copySearch(database: Database, template: string, copies: number): Promise<void> {
  const run = (text: string, ...values: string[]) =>
    database.write(template, (sql) => sql.run(text, values));
  const slices = (rows: string, insert: string, joins = '') =>
    inSlices(database, template, copies, rows, insert, joins);
  const mine = '(select owner_no from search_owners where owner_id = ?)';
  await run(
    `insert into search_owners (tenant_id, owner_id) select o.tenant_id, b.owner_id
     from bench_owners b join owners o on o.id = b.owner_id order by b.n`,
  );
  await run(
    `update bench_owners b set owner_no = s.owner_no from search_owners s
     where s.owner_id = b.owner_id`,
  );
  const totals = ['zone', 'objects', 'passages', 'terms'];
  await slices(
    `select * from search_totals where owner_no = ${mine}`,
    `insert into search_totals (owner_no, ${totals.join(', ')})
     select b.owner_no, ${totals.map((name) => `t.${name}`).join(', ')}`,
  );
  const entry = ['object_id', 'zone', 'kind', 'doc_type', 'collection_id', 'created_at'];
  await slices(
    `select * from search_entries where owner_no = ${mine}`,
    `insert into search_entries (owner_no, ${entry.join(', ')}, passages, terms)
     select b.owner_no, ${entry.map((name) => `t.${name}`).join(', ')}, t.passages, t.terms`,
  );
  const head = titleRowNumber(1);
  const joined = 'join search_entries e on e.owner_no = b.owner_no and e.object_id = t.object_id';
  const of = (table: string) =>
    `select e.object_id, e.owner_no, x.* from search_entries e
     join ${table} x on x.number >= e.number * ${head} and x.number < (e.number + 1) * ${head}
     where e.owner_no = ${mine}`;
  const number = `e.number * ${head} + t.number % ${head}`;
  await slices(
    of('search_passages'),
    `insert into search_passages (number, char_start, char_end, terms, text)
     select ${number}, t.char_start, t.char_end, t.terms, t.text`,
    joined,
  );
  const marked = ['v', 'h'].reduce(
    (terms, zone) =>
      `replace(${terms}, '''' || t.owner_no || '${zone}_', '''' || b.owner_no || '${zone}_')`,
    't.terms::text',
  );
  await slices(
    of('search_terms'),
    `insert into search_terms (number, terms) select ${number}, (${marked})::tsvector`,
    joined,
  );
}

/** Some rows of the template at a time, with all their copies: first row by row, then owner by owner. */
async function inSlices(
  database: Database,
  template: string,
  copies: number,
  rows: string,
  insert: string,
  joins = '',
): Promise<void> {
  const run = (text: string, ...values: (string | number)[]) =>
    database.write(template, (sql) => sql.run(text, values));
  await run('drop table if exists bench_rows');
  await run(`create table bench_rows as select row_number() over () as bench_row, r.*
    from (${rows.replace('?', `'${template}'`)}) r`);
  await database.knex.raw('analyze bench_owners, bench_rows');
  const count = await database.queryOnce((sql) =>
    sql.get<{ n: number }>('select count(*) as n from bench_rows'),
  );
  const step = Math.max(1, Math.floor(ROWS / copies));
  for (let from = 0; from < (count?.n ?? 0); from += step)
    await run(
      `${insert} from bench_rows t cross join bench_owners b ${joins}
       where t.bench_row > ? and t.bench_row <= ? order by t.bench_row, b.n`,
      from,
      from + step,
    );
  await run('drop table bench_rows');
}
