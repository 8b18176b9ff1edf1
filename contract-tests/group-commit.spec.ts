import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import pg from 'pg';
import type { Database } from '../adapters/knex/database.ts';
import { GroupCommit } from '../adapters/knex/group-commit.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import type { Sql } from '../adapters/knex/sql.ts';
import { SqliteTransactionDialect } from '../adapters/knex/sqlite/transaction.ts';
import { UnavailableError } from '../ports/errors.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';
import {
  groupCommitSuite,
  outcomes,
  pause,
  type GroupCommitFixture,
} from './suites/group-commit.ts';

const NO_TIME_LIMIT_MS = 60_000;
const MAX_START_MS = 15_000;
const TABLES = `
  create table heads (id integer primary key);
  create table tails (head integer references heads (id) deferrable initially deferred);
  create table halves (n integer not null, half integer not null)`;

/** A pool of one connection. */
function poolOfOne(connection: Sqlite.Database) {
  let lent: Promise<unknown> = Promise.resolve();
  let giveBack = (): void => undefined;
  return {
    acquireConnection: async () => {
      await lent;
      lent = new Promise<void>((resolve) => (giveBack = resolve));
      return connection;
    },
    releaseConnection: async () => giveBack(),
  };
}

async function openSqliteFixture() {
  const folder = await mkdtemp(join(tmpdir(), 'owner-workspace-'));
  const file = join(folder, 'some.db');
  let commits = 0;
  const connections: Sqlite.Database[] = [];
  const connect = () => {
    const connection = new Sqlite(file, {
      verbose: (text) => (commits += text === 'commit' ? 1 : 0),
    });
    connection.pragma('journal_mode = wal');
    connection.pragma('foreign_keys = on');
    connection.pragma('busy_timeout = 0');
    connections.push(connection);
    return connection;
  };
  const writer = (maxGroupMs: number) =>
    new GroupCommit(new SqliteTransactionDialect(poolOfOne(connect()), 5_000, maxGroupMs));
  const writers = [writer(NO_TIME_LIMIT_MS), writer(NO_TIME_LIMIT_MS)] as const;
  const briefWriter = writer(5);
  const [connection] = connections as [Sqlite.Database];
  connection.exec(`create table notes (place integer primary key autoincrement, owner text, id integer,
    part integer, text text default '', unique (owner, id, part)); ${TABLES}`);
  const reader = new Sqlite(file, { readonly: true });
  const fixture: GroupCommitFixture = {
    maxUnits: 64,
    insertText: 'insert into notes (owner, id, part) values (?, ?, ?)',
    uniqueViolation: 'SQLITE_CONSTRAINT_UNIQUE',
    foreignKeyViolation: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    failures: ['no', 'throws', 'change', 'run'],
    writers,
    briefWriter,
    query: async <Row>(text: string) => reader.prepare(text).all() as Row[],
    commits: async () => commits,
    clear: async () => {
      connection.exec('delete from notes');
      commits = 0;
    },
    close: async () => {
      for (const each of [...connections, reader]) each.close();
      await rm(folder, { recursive: true });
    },
  };
  return { fixture, connection, openCode: openCode('sqlite', 'openSqlite', file) };
}

async function openPostgresFixture() {
  const place = await openTestDatabase();
  const databases = [NO_TIME_LIMIT_MS, NO_TIME_LIMIT_MS, 5].map((maxGroupMs) =>
    openPostgres(place.url, 3, maxGroupMs),
  ) as [Database, Database, Database];
  const client = new pg.Client(place.url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`create table notes (place bigserial, owner text, id integer, part integer,
    xid text default pg_current_xact_id()::text, primary key (owner, id, part)); ${TABLES}`);
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  const fixture: GroupCommitFixture = {
    maxUnits: 32,
    insertText: 'insert into notes (owner, id, part) values (?, ?, ?)',
    uniqueViolation: '23505',
    foreignKeyViolation: '23503',
    failures: [
      ...(['no', 'throws', 'change', 'run', 'continues', 'continues at once'] as const),
      'continues later',
    ],
    writers: [databases[0], databases[1]],
    briefWriter: databases[2],
    query: (text) => query(text) as never,
    commits: async () => (await query('select distinct xid from notes')).length,
    clear: async () => void (await query('delete from notes')),
    close: async () => {
      for (const database of databases) await database.close();
      await client.end();
      await place.drop();
    },
  };
  return { fixture, query, openCode: openCode('postgres', 'openPostgres', place.url) };
}

const openCode = (folder: string, name: string, address: string) => `
  import { ${name} } from ${JSON.stringify(join(import.meta.dirname, `../adapters/knex/${folder}/open.ts`))};
  const database = ${name}(${JSON.stringify(address)});`;

/** Kills a process that writes, and compares what it acknowledged with what is stored. */
async function checkKilledProcess(openDatabase: string, fixture: GroupCommitFixture) {
  const script = `${openDatabase}
    let n = Number(process.argv.at(-1));
    const stream = async () => {
      for (;;) {
        const id = n++;
        await database.write('', async (sql) => {
          await sql.enqueueChange('insert into halves values (?, 1)', [id]);
          if (id % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
          await sql.enqueueChange('insert into halves values (?, 2)', [id]);
          if (id % 5 === 0) throw new Error('The work failed.');
          if (id % 11 === 0) await sql.enqueueChange('insert into halves values (?, null)', [id]);
        }).then(() => process.stdout.write(id + '\\n'), () => undefined);
      }
    };
    await Promise.all(Array.from({ length: 16 }, stream));`;
  for (let round = 0; round < 3; round++) {
    const from = String(round * 1_000_000 + 1);
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', from], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const closed = once(child, 'close');
    try {
      await Promise.race([once(child.stdout, 'data'), pause(MAX_START_MS)]);
      await pause(50 + 40 * round);
    } finally {
      child.kill('SIGKILL');
    }
    await closed;
    const acknowledged = output.split('\n').slice(0, -1).map(Number);
    expect(acknowledged.length).to.be.greaterThan(0);
    const rows = await fixture.query<{ n: number; count: number }>(
      'select n, cast(count(*) as integer) as count from halves group by n',
    );
    expect(rows.filter(({ count }) => count !== 2)).to.deep.equal([]);
    expect(rows.filter(({ n }) => n % 5 === 0 || n % 11 === 0)).to.deep.equal([]);
    const stored = new Set(rows.map(({ n }) => n));
    expect(acknowledged.filter((n) => !stored.has(n))).to.deep.equal([]);
  }
}

if (selectedBackends().includes('sqlite')) {
  groupCommitSuite('sqlite', async () => (await openSqliteFixture()).fixture);

  describe('sqlite: group commit under faults', () => {
    let opened: Awaited<ReturnType<typeof openSqliteFixture>>;
    before(async () => {
      opened = await openSqliteFixture();
    });
    beforeEach(() => opened.fixture.clear());
    after(() => opened.fixture.close());

    it('commits writes of one event-loop tick together, whichever microtask they begin in', async () => {
      const { fixture } = opened;
      const insert = async (id: number) => {
        for (let n = 0; n < 10 * id; n++) await Promise.resolve();
        await fixture.writers[0].write('a', (sql) =>
          sql.enqueueChange(fixture.insertText, ['a', id, 1]),
        );
      };
      await Promise.all([0, 1, 2, 3].map(insert));
      expect(await fixture.commits()).to.equal(1);
    });

    it('rejects every unit of the group when the disk is full', async () => {
      const { connection, fixture } = opened;
      const pages = connection.pragma('page_count', { simple: true }) as number;
      connection.pragma(`max_page_count = ${pages}`);
      const write = (work: (sql: Sql) => Promise<unknown>) => fixture.writers[0].write('a', work);
      const insert = (id: number) =>
        write((sql) => sql.run(fixture.insertText, ['a', id, 1]).then(() => undefined));
      const results = await outcomes([
        insert(1),
        write((sql) => sql.run('insert into notes (text) values (?)', ['x'.repeat(100_000)])),
        insert(3),
      ]);
      connection.pragma('max_page_count = 1000000');
      expect(results[0]).to.be.instanceOf(UnavailableError);
      expect(results[1]).to.be.instanceOf(UnavailableError);
      // It had not begun, so it runs in the next group.
      expect(results[2]).to.equal(undefined);
      expect(await fixture.query('select id from notes')).to.deep.equal([{ id: 3 }]);
    });

    it('runs a unit in the next group when its savepoint cannot be set', async () => {
      // A database of its own: prepared statements are cached for each connection.
      const { connection, fixture } = await openSqliteFixture();
      const prepare = connection.prepare.bind(connection);
      let failures = 0;
      connection.prepare = (text: string) => {
        if (text !== 'savepoint unit' || failures > 0) return prepare(text);
        failures++;
        throw new Sqlite.SqliteError('out of memory', 'SQLITE_NOMEM');
      };
      const insert = (id: number) =>
        fixture.writers[0].write('a', (sql) => sql.enqueueChange(fixture.insertText, ['a', id, 1]));
      try {
        const results = await outcomes([insert(1), insert(2)]);
        expect(failures).to.equal(1);
        expect(results[0]).to.be.instanceOf(UnavailableError);
        expect(results[1]).to.equal(undefined);
        expect(await fixture.query('select id from notes')).to.deep.equal([{ id: 2 }]);
      } finally {
        await fixture.close();
      }
    });

    it('stores every acknowledged unit and no half of one when the process is killed', async function () {
      this.timeout(60_000);
      await checkKilledProcess(opened.openCode, opened.fixture);
    });
  });
}

if (selectedBackends().includes('postgres')) {
  groupCommitSuite('postgres', async () => (await openPostgresFixture()).fixture);

  describe('postgres: group commit under faults', () => {
    let opened: Awaited<ReturnType<typeof openPostgresFixture>>;
    before(async () => {
      opened = await openPostgresFixture();
    });
    beforeEach(() => opened.fixture.clear());
    after(() => opened.fixture.close());

    const write = (id: number, work: (sql: Sql) => Promise<unknown> = () => Promise.resolve()) =>
      opened.fixture.writers[0].write('a', async (sql) => {
        await sql.enqueueChange(opened.fixture.insertText, ['a', id, 1]);
        return work(sql);
      });
    const ids = async () =>
      (await opened.query<{ id: number }>('select id from notes order by place')).map(
        ({ id }) => id,
      );
    const selectOne = (sql: Sql) => sql.get('select 1 as one');

    it('rejects the group when the connection is lost, and uses another one next', async () => {
      const results = await outcomes([
        write(1, selectOne),
        write(2, (sql) => sql.get('select pg_terminate_backend(pg_backend_pid())')),
        write(3, selectOne),
      ]);
      for (const result of results.slice(0, 2)) expect(result).to.be.instanceOf(UnavailableError);
      const third = results[2];
      if (third instanceof Error) expect(third).to.be.instanceOf(UnavailableError);
      expect(await ids()).to.deep.equal(third instanceof Error ? [] : [3]);
      await write(4);
      expect((await ids()).at(-1)).to.equal(4);
    });

    it('rejects a unit that cannot get the lock, and runs the next one', async () => {
      const lock = createHash('sha256').update('a').digest().readBigInt64BE().toString();
      await opened.query('select pg_advisory_lock($1)', [lock]);
      const pending = outcomes([write(1), write(2, selectOne), write(3)]);
      const cancel = `select pg_cancel_backend(pid) from pg_locks
        where locktype = 'advisory' and not granted and database =
          (select oid from pg_database where datname = current_database())`;
      while ((await opened.query(cancel)).length === 0) await pause(5);
      await opened.query('select pg_advisory_unlock($1)', [lock]);
      const [first, ...others] = await pending;
      expect(first).to.be.instanceOf(UnavailableError);
      expect(others).to.deep.equal([{ one: 1 }, undefined]);
      expect(await ids()).to.deep.equal([2, 3]);
    });

    it('rolls back a unit whose statement has too many values to be sent', async () => {
      const many = Array.from({ length: 65_536 }, () => 1);
      const results = await outcomes([
        write(1),
        write(2, (sql) => sql.run('select 1', many)),
        write(3, (sql) => sql.enqueueChange('select 1', many)),
        write(4),
      ]);
      expect(String(results[1])).to.match(/65536 values/);
      expect(String(results[2])).to.match(/65536 values/);
      expect(await ids()).to.deep.equal([1, 4]);
    });

    it('reports why an unawaited change failed, regardless of later queries of the unit', async () => {
      const [error] = await outcomes([
        write(1, async (sql) => {
          const query = sql.get('select 1 as one');
          await sql.enqueueChange(opened.fixture.insertText, ['a', 1, 1]);
          await query;
          await sql.run(opened.fixture.insertText, ['a', 1, 2]);
        }),
      ]);
      expect((error as { code?: string }).code).to.equal('23505');
    });

    it('stores every acknowledged unit and no half of one when the process is killed', async function () {
      this.timeout(60_000);
      await checkKilledProcess(opened.openCode, opened.fixture);
    });
  });
}
