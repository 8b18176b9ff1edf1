import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import type { Database } from '../adapters/knex/database.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { SchemaTooNewError, SchemaTooOldError } from '../adapters/knex/schema/history.ts';
import { isCurrent, migrate } from '../adapters/knex/schema/migrate.ts';
import type { Migration } from '../adapters/knex/schema/migration.ts';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';
import { foldersOf, type Query } from '../adapters/knex/stores/objects/object-conditions.ts';
import { pagePositionsQuery, pageQuery } from '../adapters/knex/stores/objects/object-pages.ts';
import {
  countQuery,
  isCounted,
  totalQuery,
} from '../adapters/knex/stores/objects/object-totals.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { UnavailableError } from '../ports/errors.ts';
import { OBJECT_ORDERS, type ObjectFilter, type ObjectOrder } from '../ports/objects.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';
import { LATER_MIGRATIONS } from './later-migrations.ts';
import { EARLY_VERSIONS, addEarlyVersions } from './schema-fixtures.ts';
import { anObject, everyFilter, furtherFilters, newScope } from './samples.ts';

/** An empty database on which any number of handles may be opened. */
interface Place {
  open(): Database;
  remove(): Promise<void>;
}

async function sqliteLocation(): Promise<Place & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'owner-workspace-'));
  const file = join(folder, 'workspace.db');
  return {
    file,
    open: () => openSqlite(file),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function postgresLocation(): Promise<Place & { readonly url: string }> {
  const place = await openTestDatabase();
  return { url: place.url, open: () => openPostgres(place.url), remove: () => place.drop() };
}

const places: readonly (readonly [string, () => Promise<Place>])[] = [
  ['sqlite', sqliteLocation] as const,
  ['postgres', postgresLocation] as const,
].filter(([name]) => selectedBackends().includes(name));

const caught = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The pool notices a lost connection after a delay. Until then units may reject. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 40; ; left--)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnavailableError) || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
}

for (const [name, placeOf] of places)
  describe(`${name}: migrations`, () => {
    let place: Place;
    let database: Database;
    beforeEach(async () => {
      place = await placeOf();
      database = place.open();
    });
    afterEach(async () => {
      await database.close();
      await place.remove();
    });

    const tables = () => database.knex('schema_versions').select('version');

    it('run once when several processes start at the same time', async () => {
      const handles = Array.from({ length: 4 }, () => place.open());
      try {
        await Promise.all(handles.map((each) => migrate(each)));
        expect(await tables()).to.deep.equal(MIGRATIONS.map(({ version }) => ({ version })));
        const scope = newScope();
        const object = anObject();
        for (const each of handles)
          await new KnexUnitOfWork(each).write(scope, (s) => s.objects.save(object));
        await migrate(database);
        const found = await new KnexUnitOfWork(database).read(scope, (s) =>
          s.objects.find(object.id),
        );
        expect(found).to.deep.equal(object);
      } finally {
        await Promise.all(handles.map((each) => each.close()));
      }
    });

    it('reject a schema that is newer than the program', async () => {
      await migrate(database);
      await database.knex('schema_versions').insert({ version: 99, name: 'of tomorrow' });
      const error = await caught(migrate(database));
      expect(error).to.be.instanceOf(SchemaTooNewError);
      expect((error as Error).message).to.match(
        /schema 99, but this program knows only schema \d+/,
      );
      expect(await caught(isCurrent(database))).to.be.instanceOf(SchemaTooNewError);
    });

    it('reject a schema of a build from before the first release, and say what to do', async () => {
      await database.knex.raw(EARLY_VERSIONS);
      for (const version of [1, 2, 25]) {
        await addEarlyVersions(database, version);
        const error = await caught(migrate(database));
        expect(error).to.be.instanceOf(SchemaTooOldError);
        expect((error as Error).message).to.match(
          new RegExp(`before the first release \\(its schema ${version}\\).*Export.*import`),
        );
        expect(await caught(migrate(database, LATER_MIGRATIONS))).to.be.instanceOf(
          SchemaTooOldError,
        );
        expect(await caught(isCurrent(database))).to.be.instanceOf(SchemaTooOldError);
      }
      expect(await tables()).to.have.length(25);
      expect(await database.knex.schema.hasTable('objects')).to.equal(false);
    });

    it('roll back a failed step, and continue from the last successful one', async () => {
      const step = (version: number, broken: boolean): Migration => ({
        version,
        name: `step ${version}`,
        up: async (knex) => {
          await knex.raw(`create table step_${version} (a integer)`);
          if (broken) throw new Error('power cut');
        },
      });
      await migrate(database, [step(1, false)]);
      const error = await caught(migrate(database, [step(1, true), step(2, false), step(3, true)]));
      expect((error as Error).message).to.equal('power cut');
      expect(await tables()).to.deep.equal([{ version: 1 }]);
      expect(await database.knex.schema.hasTable('step_2')).to.equal(false);
      await migrate(database, [step(1, true), step(2, false)]);
      expect(await tables()).to.deep.equal([{ version: 1 }, { version: 2 }]);
    });
  });

for (const [name, placeOf] of places)
  describe(`${name}: lists of objects`, () => {
    let place: Place;
    let database: Database;
    before(async () => {
      place = await placeOf();
      database = place.open();
      await migrate(database);
    });
    after(async () => {
      await database.close();
      await place.remove();
    });

    const plan = async ({ text, values }: Query, first = '') =>
      database.read(async (sql) => {
        if (first) await sql.run(first);
        const explain = name === 'sqlite' ? 'explain query plan' : 'explain';
        const rows = await sql.all<Record<string, string>>(`${explain} ${text}`, values);
        return rows.map((row) => row['detail'] ?? row['QUERY PLAN']).join('\n');
      });

    /** Filters that select nothing are answered without a query. */
    const selective = (filter: ObjectFilter) =>
      filter.kinds?.length !== 0 && foldersOf(filter)?.length !== 0;
    const filters = () => everyFilter().filter(selective);
    const further = () => furtherFilters().filter(selective);

    /** A position of each order. */
    const positionIn = (order: ObjectOrder) => ({ key: order === 'name' ? 'k' : 5, id: 'x' });

    it('read their totals from the counters and never count rows', async () => {
      for (const filter of [...filters(), ...further().filter(isCounted)]) {
        const steps = await plan(totalQuery('o', filter));
        expect(steps, JSON.stringify(filter)).to.include('object_counts');
        expect(steps).to.not.match(/\bobjects(_by_\w+)?\b/);
      }
    });

    it('count index entries for the totals that no counter holds', async () => {
      for (const filter of further().filter((each) => !isCounted(each))) {
        const query = countQuery(database.dialect, 'o', filter);
        const steps = await plan(
          query,
          name === 'postgres' ? 'set local enable_seqscan = off' : '',
        );
        expect(steps, JSON.stringify(filter)).to.match(/objects_by_\w+|object_categories|SEARCH c/);
        expect(steps, JSON.stringify(filter)).to.not.match(
          /\bSCAN (objects|o)\b|Seq Scan on objects/,
        );
      }
    });

    it('find their rows in the index of each order, without sorting, by every filter alone', async () => {
      // No index has the contents and all facets: few objects have the same content.
      const isElsewhere = ({ collectionIds, suggestionFolders, contentHash }: ObjectFilter) =>
        [collectionIds, suggestionFolders, contentHash].some((value) => value !== undefined);
      const alone: readonly ObjectFilter[] = [...further(), ...filters()].filter(
        (filter) => !filter.trashed && !isElsewhere(filter) && Object.keys(filter).length < 4,
      );
      expect(alone.length).to.be.above(30);
      for (const filter of alone)
        for (const order of OBJECT_ORDERS)
          for (const request of [
            { limit: 20, order, offset: 1_000 },
            { limit: 20, order, after: positionIn(order) },
          ]) {
            const query = pagePositionsQuery(database.dialect, 'o', filter, request);
            const steps = await plan(
              query,
              name === 'postgres' ? 'set local enable_sort = off' : '',
            );
            const which = `${order} ${JSON.stringify(filter)}\n${steps}`;
            expect(steps, which).to.not.match(/TEMP B-TREE|Sort {2}\(/);
            if (name === 'sqlite')
              expect(steps, which).to.match(
                /COVERING INDEX objects_by_|SEARCH c USING PRIMARY KEY/,
              );
          }
    });

    it('sort the matches of a facet if they are few, read through its index', async () => {
      for (const filter of further().filter(({ collectionId }) => collectionId === undefined))
        for (const order of OBJECT_ORDERS) {
          const request = { limit: 20, order, offset: 0 };
          const query = pagePositionsQuery(database.dialect, 'o', filter, request, true);
          const steps = await plan(
            query,
            name === 'postgres' ? 'set local enable_seqscan = off' : '',
          );
          expect(steps, JSON.stringify(filter)).to.match(/objects_\w+|object_categories|SEARCH c/);
          expect(steps).to.not.match(/\bSCAN (objects|o)\b|Seq Scan on objects/);
        }
    });

    it('find their rows in index order, without sorting', async () => {
      for (const filter of filters().filter(({ collectionIds }) => !collectionIds)) {
        for (const request of [
          { limit: 20, offset: 1_000 },
          { limit: 20, after: { key: 5, id: 'x' } },
        ]) {
          const query = pagePositionsQuery(database.dialect, 'o', filter, request);
          // Sorting an empty Postgres table costs nothing. The test requires that a plan without a sort exists.
          const steps = await plan(query, name === 'postgres' ? 'set local enable_sort = off' : '');
          expect(steps, JSON.stringify(filter)).to.not.match(/TEMP B-TREE|Sort {2}\(/);
          if (name === 'sqlite' && !filter.textState)
            expect(steps, JSON.stringify(filter)).to.match(/USING COVERING INDEX objects_by_/);
        }
      }
    });

    if (name === 'sqlite')
      it('find the rows of several folders in index order, at most a page of each', async () => {
        for (const filter of filters().filter(({ collectionIds }) => collectionIds)) {
          const request = { limit: 20, offset: 1_000 };
          const { text } = pagePositionsQuery(database.dialect, 'o', filter, request);
          const steps = await plan({ ...pagePositionsQuery('sqlite', 'o', filter, request) });
          if (!filter.textState) expect(steps).to.match(/USING COVERING INDEX objects_by_/);
          expect(steps).to.not.match(/SCAN objects/);
          const branches = foldersOf(filter)?.length ?? 0;
          expect(text.split(' limit ?').length - 1).to.be.at.least(branches);
        }
      });
    if (name === 'sqlite')
      it('sort no more rows than a page has', async () => {
        for (const filter of filters()) {
          const steps = await plan(pageQuery('sqlite', 'o', filter, { limit: 20, offset: 1_000 }));
          // Two states or several folders are merged into the index entries of the page before its rows are read and sorted.
          if (filter.visibility === 'any' || filter.collectionIds)
            expect(steps).to.match(/(CO-ROUTINE|MATERIALIZE) p/);
          else expect(steps, JSON.stringify(filter)).to.not.include('TEMP B-TREE');
        }
      });

    it('find the objects of a content in the index of contents', async () => {
      const scope = newScope();
      const uow = new KnexUnitOfWork(database);
      await uow.write(scope, async ({ objects }) => {
        for (let n = 0; n < 300; n++)
          await objects.save(anObject({ contentHash: n.toString(16).padStart(64, '0') }));
      });
      // Postgres chooses by the statistics of the rows.
      if (name === 'postgres') await database.knex.raw('analyze objects');
      const contentHash = 'a'.repeat(64);
      for (const visibility of ['visible', 'any'] as const) {
        const filter = { visibility, trashed: false, contentHash };
        const queries = [
          countQuery(database.dialect, scope.ownerId, filter),
          pagePositionsQuery(
            database.dialect,
            scope.ownerId,
            filter,
            { limit: 20, offset: 0 },
            true,
          ),
        ];
        for (const query of queries)
          expect(await plan(query), JSON.stringify(filter)).to.match(/objects_by_hash/);
      }
    });
  });

if (selectedBackends().includes('sqlite'))
  describe('sqlite: reads that begin in one event-loop tick', () => {
    it('see what was committed before they began, on any handle, and nothing later', async () => {
      const place = await sqliteLocation();
      const [one, two] = [place.open(), place.open()];
      try {
        await migrate(one);
        const scope = newScope();
        const mine = { visibility: 'any', trashed: false } as const;
        const [reader, writer] = [new KnexUnitOfWork(one), new KnexUnitOfWork(two)];
        const count = () => reader.read(scope, (s) => s.objects.count(mine));
        for (let i = 0; i < 20; i++) {
          let started = (): void => undefined;
          const looked = new Promise<void>((resolve) => (started = resolve));
          let written = (): void => undefined;
          const afterwards = new Promise<void>((resolve) => (written = resolve));
          const long = reader.read(scope, async (s) => {
            const first = await s.objects.count(mine);
            started();
            await afterwards;
            return [first, await s.objects.count(mine)];
          });
          await looked;
          expect(await Promise.all([count(), count()])).to.deep.equal([i, i]);
          await writer.write(scope, (s) => s.objects.save(anObject()));
          expect(await count()).to.equal(i + 1);
          written();
          expect(await long).to.deep.equal([i, i]);
        }
      } finally {
        await one.close();
        await two.close();
        await place.remove();
      }
    });

    it('see commits that another process made while timers ran, before sockets were polled', async () => {
      const place = await sqliteLocation();
      const database = place.open();
      await migrate(database);
      // Not through the adapter, which is notified of the commits of its own process.
      const other = new BetterSqlite3(place.file);
      other.exec('create table notes (n integer)');
      const count = () =>
        database.queryOnce((sql) => sql.get<{ n: number }>('select count(*) as n from notes'));
      try {
        for (let i = 0; i < 5; i++) {
          await count();
          const seen = await new Promise((resolve, reject) => {
            setTimeout(() => {
              stat(place.file, () => void count().then(resolve, reject));
              count().then(() => {
                other.exec('insert into notes values (1)');
                // So that the file has been polled by the time the loop polls.
                Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
              }, reject);
            });
          });
          expect(seen).to.deep.equal({ n: i + 1 });
        }
      } finally {
        other.close();
        await database.close();
        await place.remove();
      }
    });
  });

describe('sqlite: another process that holds the lock', () => {
  let place: Awaited<ReturnType<typeof sqliteLocation>>;
  let database: Database;
  before(async () => {
    place = await sqliteLocation();
    database = openSqlite(place.file);
    await migrate(database);
  });
  after(async () => {
    await database.close();
    await place.remove();
  });

  /** Takes the write lock in a process of its own. */
  async function holdLock() {
    const script = `
        const db = new (require('better-sqlite3'))(process.argv[1]);
        db.exec('begin immediate');
        process.stdout.write('held');
        process.stdin.once('data', () => { db.exec('commit'); db.close(); process.exit(0); });`;
    const child = spawn(process.execPath, ['-e', script, place.file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return async (how: 'commit' | 'kill') => {
      const gone = once(child, 'exit');
      if (how === 'kill') child.kill('SIGKILL');
      else child.stdin.write('now');
      await gone;
    };
  }

  for (const how of ['commit', 'kill'] as const)
    it(`delays no read and no other work, and a write waits for it to ${how === 'kill' ? 'die' : 'end'}`, async () => {
      const scope = newScope();
      const uow = new KnexUnitOfWork(database);
      const before = anObject();
      await uow.write(scope, (s) => s.objects.save(before));
      const letGo = await holdLock();
      const order: string[] = [];
      const writing = uow
        .write(scope, (s) => s.objects.save(anObject()))
        .then(() => order.push('written'));
      let ticks = 0;
      const clock = setInterval(() => void ticks++, 1);
      for (let n = 0; n < 50; n++) {
        const found = await uow.read(scope, (s) => s.objects.find(before.id));
        expect(found).to.deep.equal(before);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      clearInterval(clock);
      order.push('read');
      // A process that blocked until the lock was free would not have run its timers.
      expect(ticks).to.be.greaterThan(10);
      await letGo(how);
      await writing;
      expect(order).to.deep.equal(['read', 'written']);
      const filter = { visibility: 'any', trashed: false } as const;
      expect(await uow.read(scope, (s) => s.objects.count(filter))).to.equal(2);
    });

  it('lets a write reject with UnavailableError when the wait gets too long', async () => {
    const hasty = openSqlite(place.file, { lockWaitMs: 60 });
    const letGo = await holdLock();
    try {
      const error = await caught(
        new KnexUnitOfWork(hasty).write(newScope(), (s) => s.objects.save(anObject())),
      );
      expect(error).to.be.instanceOf(UnavailableError);
    } finally {
      await letGo('commit');
    }
    const scope = newScope();
    await new KnexUnitOfWork(hasty).write(scope, (s) => s.objects.save(anObject()));
    await hasty.close();
  });
});

if (selectedBackends().includes('sqlite'))
  describe('sqlite: a disk that is full', () => {
    it('rejects writes with UnavailableError, serves reads, and recovers when space is available', async () => {
      const place = await sqliteLocation();
      const database = openSqlite(place.file);
      await migrate(database);
      const uow = new KnexUnitOfWork(database);
      const scope = newScope();
      const stored = anObject();
      const large = () => anObject({ summary: 'x'.repeat(1_000_000) });
      const mostPages = (pages: number) => database.knex.raw(`pragma max_page_count = ${pages}`);
      try {
        await uow.write(scope, (s) => s.objects.save(stored));
        await mostPages(1);
        for (let n = 0; n < 3; n++) {
          const error = await caught(uow.write(scope, (s) => s.objects.save(large())));
          expect(error).to.be.instanceOf(UnavailableError);
        }
        const filter = { visibility: 'any', trashed: false } as const;
        const page = () => uow.read(scope, (s) => s.objects.page(filter, { limit: 9, offset: 0 }));
        expect(await page()).to.deep.equal({ items: [stored], total: 1, next: null });
        await mostPages(1_000_000);
        await uow.write(scope, (s) => s.objects.save(large()));
        expect(await page()).to.have.property('total', 2);
      } finally {
        await database.close();
        await place.remove();
      }
    });

    it('makes a migration that copies a large table fail without data loss', async () => {
      const place = await sqliteLocation();
      const database = openSqlite(place.file);
      const { knex } = database;
      const mostPages = (pages: number) => knex.raw(`pragma max_page_count = ${pages}`);
      // Numbers beyond 32 bits, which are bound as reals, in no order.
      const numbers = [3, 1, 2].flatMap((i) => [i * 2 ** 40, i * 2 ** 40 + 5]);
      const stored = async () =>
        (await knex('search_passages').select('number', 'text').orderBy('number')) as object[];
      try {
        await migrate(database);
        for (const number of numbers)
          await knex('search_passages').insert({
            ...{ number, char_start: 0, char_end: 9, terms: 'some terms' },
            text: `${number} ${'x'.repeat(100_000)}`,
          });
        const before = await stored();
        await mostPages(1);
        const error = await caught(migrate(database, LATER_MIGRATIONS));
        expect(error).to.be.instanceOf(UnavailableError);
        expect(await stored()).to.deep.equal(before);
        await mostPages(1_000_000);
        await migrate(database, LATER_MIGRATIONS);
        expect(await stored()).to.deep.equal(before);
        expect(before).to.have.length(numbers.length);
      } finally {
        await database.close();
        await place.remove();
      }
    });
  });

if (selectedBackends().includes('postgres'))
  describe('postgres: an unavailable server', () => {
    let place: Awaited<ReturnType<typeof postgresLocation>>;
    let database: Database;
    let killer: Database;
    before(async () => {
      place = await postgresLocation();
      database = openPostgres(place.url, 3);
      killer = openPostgres(place.url, 1);
      await migrate(database);
    });
    after(async () => {
      await database.close();
      await killer.close();
      await place.remove();
    });

    /** Ends every connection but the killer's own. */
    const endConnections = () =>
      killer.queryOnce((sql) =>
        sql.all(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        ),
      );

    it('rejects the current unit with UnavailableError, rolls it back, and runs the next unit', async () => {
      const uow = new KnexUnitOfWork(database);
      const scope = newScope();
      const object = anObject();
      for (const how of ['write', 'read'] as const) {
        const error = await caught(
          uow[how](scope, async (s) => {
            if (how === 'write') await s.objects.save(object);
            await endConnections();
            return s.objects.find(object.id);
          }),
        );
        expect(error).to.be.instanceOf(UnavailableError);
      }
      expect(await eventually(() => uow.read(scope, (s) => s.objects.find(object.id)))).to.equal(
        undefined,
      );
      await uow.write(scope, (s) => s.objects.save(object));
      expect(await uow.read(scope, (s) => s.objects.find(object.id))).to.deep.equal(object);
    });

    it('survives the loss of idle connections', async () => {
      const uow = new KnexUnitOfWork(database);
      const scope = newScope();
      const look = () => uow.read(scope, (s) => s.objects.find('x'));
      const three = () => Promise.all([look(), look(), look()]);
      await three();
      await endConnections();
      expect(await eventually(three)).to.deep.equal([undefined, undefined, undefined]);
    });

    it('rejects with UnavailableError when no server listens', async () => {
      const unreachable = openPostgres('postgres://nobody@127.0.0.1:1/nothing');
      const uow = new KnexUnitOfWork(unreachable);
      expect(await caught(uow.read(newScope(), (s) => s.objects.find('x')))).to.be.instanceOf(
        UnavailableError,
      );
      await unreachable.close();
    });

    it('rejects a writing unit that continued after a failed statement', async () => {
      const scope = newScope();
      const error = await caught(
        database.write(scope.ownerId, async (sql) => {
          await sql.run("insert into list_counts values (?, 'x', 'y', 1)", [scope.ownerId]);
          await caught(sql.run('insert into list_counts (owner_id) values (?)', [scope.ownerId]));
        }),
      );
      expect((error as Error).message).to.match(/continued after one of its statements had failed/);
      const left = await database.queryOnce((sql) =>
        sql.all('select * from list_counts where owner_id = ?', [scope.ownerId]),
      );
      expect(left).to.deep.equal([]);
    });
  });
