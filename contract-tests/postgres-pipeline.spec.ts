import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import type { Database } from '../adapters/knex/database.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { PipelinedConnection } from '../adapters/knex/postgres/connection.ts';
import type { Value } from '../adapters/knex/sql.ts';
import { UnavailableError } from '../ports/errors.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';

const caught = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(deletionHolds: () => Promise<boolean>): Promise<void> {
  while (!(await deletionHolds())) await pause(20);
}

/** The result of the driver alone, one statement at a time. */
async function plainly(client: pg.Client, text: string, values: readonly Value[]) {
  let n = 0;
  const { rows } = await client.query<Record<string, unknown>>(
    text.replaceAll('?', () => `$${++n}`),
    values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
  );
  return rows;
}

if (selectedBackends().includes('postgres'))
  describe('postgres: pipelined statements', () => {
    let place: Awaited<ReturnType<typeof openTestDatabase>>;
    let database: Database;
    let other: Database;
    let client: pg.Client;
    before(async () => {
      place = await openTestDatabase();
      database = openPostgres(place.url, 3);
      other = openPostgres(place.url, 3);
      client = new pg.Client(place.url);
      client.on('error', () => undefined);
      await client.connect();
      await client.query('create table notes (id text primary key, n integer not null)');
    });
    beforeEach(() => client.query('delete from notes'));
    after(async () => {
      await database.close();
      await other.close();
      await client.end();
      await place.drop();
    });

    const add = 'insert into notes (id, n) values (?, ?)';
    const all = (of: Database) =>
      of.read((sql) => sql.all<{ id: string; n: number }>('select id, n from notes order by id'));
    const terminate = () =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );

    it('return the same results as statements sent alone', async () => {
      const value = fc.oneof<fc.Arbitrary<Value>[]>(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
        fc.maxSafeInteger(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 300 }),
      );
      const typeOf = (each: Value) =>
        typeof each === 'number' ? 'float8' : each instanceof Uint8Array ? 'bytea' : 'text';
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(value, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
          async (rows) => {
            const texts = rows.map((row) => {
              const columns = row.map((each, i) => `?::${typeOf(each)} as c${i}`).join(', ');
              return `select ${columns}, null as nothing from generate_series(1, ${row.length % 3})`;
            });
            const together = await database.read((sql) =>
              Promise.all(rows.map((row, i) => sql.all(texts[i] ?? '', row))),
            );
            for (const [i, row] of rows.entries())
              expect(together[i]).to.deep.equal(await plainly(client, texts[i] ?? '', row));
          },
        ),
        { numRuns: 60 },
      );
    });

    it('stop at the first error, roll back a write and leave the connection usable', async () => {
      for (let round = 0; round < 3; round++) {
        const answers: unknown[] = [];
        const failed = await caught(
          database.write('a', async (sql) => {
            const requested = [
              sql.run(add, ['one', 1]),
              sql.run(add, ['one', 2]),
              sql.run(add, ['two', 3]),
            ].map((each) => each.catch((error: unknown) => codeOf(error)));
            answers.push(...(await Promise.all(requested)));
            await sql.run(add, ['three', 4]);
          }),
        );
        expect(answers).to.deep.equal([1, '23505', '23505']);
        expect((failed as Error).message).to.match(
          /continued after one of its statements had failed/,
        );
        expect(await all(database)).to.deep.equal([]);
      }
    });

    it('reject a reading unit that continued after a failed statement', async () => {
      const error = await caught(
        database.read(async (sql) => void (await caught(sql.all('select 1 / 0')))),
      );
      expect((error as Error).message).to.match(/continued after one of its statements had failed/);
    });

    it('send a change without a result together with the next statement or the commit', async () => {
      // The first description of a statement is not part of the comparison.
      const change = (id: string) => database.write('a', (sql) => sql.enqueueChange(add, [id, 1]));
      const run = (id: string) => database.write('a', (sql) => sql.run(add, [id, 1]));
      await change('first');
      await run('second');
      const driver = pg.Client.prototype as unknown as Record<'query', (one: unknown) => unknown>;
      const query = driver.query;
      let trips = 0;
      driver.query = function (one) {
        trips += 1;
        return query.call(this, one);
      };
      try {
        await change('third');
        expect(trips).to.equal(1);
        await run('fourth');
        expect(trips).to.equal(3);
      } finally {
        driver.query = query;
      }
      expect((await all(other)).map(({ id }) => id)).to.deep.equal([
        'first',
        'fourth',
        'second',
        'third',
      ]);
    });

    it('make a change visible to every later statement', async () => {
      const seen = await database.write('a', async (sql) => {
        for (let n = 0; n < 100; n++) await sql.enqueueChange(add, [`note ${n}`, n]);
        return sql.get<{ n: number }>('select count(*) as n from notes');
      });
      expect(seen?.n).to.equal(100);
    });

    it('roll back a unit with a rejected change, and report the reason', async () => {
      const alone = await caught(
        database.write('a', async (sql) => {
          await sql.enqueueChange(add, ['a', 1]);
          await sql.enqueueChange(add, ['a', 2]);
        }),
      );
      expect(codeOf(alone)).to.equal('23505');
      const requested = await caught(
        database.write('a', async (sql) => {
          await sql.enqueueChange(add, ['a', 1]);
          await sql.enqueueChange(add, ['a', 2]);
          await sql.get('select 1 as one');
        }),
      );
      expect(codeOf(requested)).to.equal('23505');
      // A unit that continues anyway: its next round trip and its commit follow after the error is known.
      let later: unknown;
      const deaf = await caught(
        database.write('a', async (sql) => {
          await sql.enqueueChange(add, ['a', 1]);
          await sql.enqueueChange(add, ['a', 2]);
          await pause(50);
          later = await caught(sql.run(add, ['b', 3]));
        }),
      );
      expect([codeOf(later), codeOf(deaf)]).to.deep.equal(['23505', '23505']);
      expect(await all(other)).to.deep.equal([]);
      await database.write('a', (sql) => sql.run(add, ['c', 1]));
      expect((await all(other)).map(({ id }) => id)).to.deep.equal(['c']);
    });

    it('fail separately if they are look-ups of different callers', async () => {
      // More than one batch can hold.
      const numbers = Array.from({ length: 70 }, (_, i) => [1, 0, 2, 0, 4][i % 5] ?? 0);
      const looks = numbers.map((n) =>
        database
          .queryOnce((sql) => sql.get<{ n: number }>('select 8 / ?::int as n', [n]))
          .then((row) => row?.n, codeOf),
      );
      expect(await Promise.all(looks)).to.deep.equal(
        numbers.map((n) => (n === 0 ? '22012' : 8 / n)),
      );
    });

    it('see in a read every write acknowledged before it, on connections whose last read is still open', async () => {
      for (let n = 1; n <= 60; n++) {
        await all(other);
        await database.write('a', (sql) => sql.run(add, [`${String(n).padStart(3, '0')}`, n]));
        expect(await all(other)).to.have.length(n);
        const row = await other.queryOnce((sql) => sql.get('select count(*) as n from notes'));
        expect(row).to.deep.equal({ n });
      }
    });

    it('use one snapshot from the first round trip of a read to its last', async () => {
      await database.write('a', (sql) => sql.run(add, ['one', 1]));
      const [before, after] = await other.read(async (sql) => {
        const first = await sql.all('select * from notes');
        await database.write('a', (writing) => writing.run(add, ['two', 2]));
        return [first, await sql.all('select * from notes')];
      });
      expect(after).to.deep.equal(before);
      expect(await all(other)).to.have.length(2);
    });

    it('leave no transaction open after a read', async () => {
      await Promise.all([all(database), all(database), all(other)]);
      await until(async () => {
        const { rows } = await client.query(
          `select 1 from pg_stat_activity
           where datname = current_database() and state like 'idle in transaction%'`,
        );
        return rows.length === 0;
      });
    });

    it('accumulate writes of one event-loop tick, over several handles', async () => {
      await database.write('a', (sql) => sql.run(add, ['one', 0]));
      const raise = (of: Database) =>
        of.write('a', async (sql) => {
          const row = await sql.get<{ n: number }>('select n from notes where id = ?', ['one']);
          await sql.run('update notes set n = ? where id = ?', [(row?.n ?? 0) + 1, 'one']);
        });
      await Promise.all(Array.from({ length: 40 }, (_, i) => raise(i % 2 ? database : other)));
      expect(await all(other)).to.deep.equal([{ id: 'one', n: 40 }]);
    });

    it('are rejected as unavailable when one times out, and later ones succeed', async () => {
      const slow = await caught(
        database.read(async (sql) => {
          await sql.all("select set_config('statement_timeout', '50', true)");
          await Promise.all([sql.all('select 1'), sql.all('select pg_sleep(20)')]);
        }),
      );
      expect(slow).to.be.instanceOf(UnavailableError);
      expect(await all(database)).to.deep.equal([]);
    });

    it('are rejected as unavailable when the connection is lost between round trips, and are prepared again on the next', async () => {
      await all(database);
      const read = await caught(
        database.read(async (sql) => {
          await sql.all('select id, n from notes order by id');
          await terminate();
          return Promise.all([sql.all('select 1'), sql.all('select 2')]);
        }),
      );
      expect(read).to.be.instanceOf(UnavailableError);
      const write = await caught(
        other.write('a', async (sql) => {
          await sql.run(add, ['lost', 1]);
          await terminate();
          await sql.run(add, ['lost too', 1]);
        }),
      );
      expect(write).to.be.instanceOf(UnavailableError);
      for (const each of [database, other]) {
        await until(async () => !(await caught(all(each))));
        expect(await all(each)).to.deep.equal([]);
      }
    });

    it('accept as many values as the protocol allows, and reject more without damage', async () => {
      const count = (n: number) =>
        database.read((sql) =>
          sql.get(
            `select cardinality(array[${'?::int, '.repeat(n).slice(0, -2)}]) as n`,
            Array.from({ length: n }, (_, i) => i),
          ),
        );
      expect(await count(65_535)).to.deep.equal({ n: 65_535 });
      expect(String(await caught(count(65_536)))).to.match(/65536 values/);
      expect(await count(2)).to.deep.equal({ n: 2 });
    });

    it('send and return large values', async () => {
      const text = 'ä𝕏'.repeat(1_000_000);
      const bytes = Buffer.alloc(3_000_000, 7);
      const row = await database.read((sql) =>
        sql.get<{ text: string; bytes: Buffer }>('select ?::text as text, ?::bytea as bytes', [
          text,
          bytes,
        ]),
      );
      expect(row?.text === text && row.bytes.equals(bytes)).to.equal(true);
    });

    it('recover after the columns of a result have changed', async () => {
      const apart = new pg.Client(place.url);
      await apart.connect();
      try {
        const connection = new PipelinedConnection(apart);
        const read = () => connection.query({ name: 'growing', text: 'select * from growing' });
        await client.query('create table growing (a integer)');
        await client.query('insert into growing values (1)');
        expect((await read()).rows).to.deep.equal([{ a: 1 }]);
        await client.query('alter table growing add column b integer default 2');
        expect(codeOf(await caught(read()))).to.equal('0A000');
        expect((await read()).rows).to.deep.equal([{ a: 1, b: 2 }]);
      } finally {
        await apart.end();
      }
    });

    it('leave no state on a connection that is then taken from the pool directly', async () => {
      const single = openPostgres(place.url, 1);
      try {
        await all(single);
        await single.knex('notes').insert({ id: 'one', n: 1 });
        expect(await all(other)).to.deep.equal([{ id: 'one', n: 1 }]);
      } finally {
        await single.close();
      }
    });

    it('are abandoned when the server stops responding', async () => {
      const { hostname, port } = new URL(place.url);
      const sockets: Socket[] = [];
      const between = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        sockets.push(near, far);
        for (const each of [near, far]) each.on('error', () => undefined);
        near.pipe(far).pipe(near);
      }).listen(0, '127.0.0.1');
      await once(between, 'listening');
      const address = Object.assign(new URL(place.url), {
        host: `127.0.0.1:${(between.address() as AddressInfo).port}`,
      });
      const quieted = new pg.Client(address.href);
      quieted.on('error', () => undefined);
      try {
        await quieted.connect();
        const connection = new PipelinedConnection(quieted, 1_000);
        expect((await connection.query({ text: 'select 1 as one' })).rows).to.deep.equal([
          { one: 1 },
        ]);
        for (const each of sockets) each.pause().unpipe();
        const requested = [
          connection.query({ text: 'select 2' }),
          connection.query({ text: 'select 3' }),
        ];
        const later = caught(requested[0] as Promise<unknown>).then(() =>
          connection.query({ text: 'select 4' }),
        );
        for (const each of [...requested, later])
          expect(String(await caught(each))).to.match(/read timeout|not queryable/);
      } finally {
        for (const each of sockets) each.destroy();
        between.close();
      }
    });

    // The last test: from here on no new statement gets a name in this process.
    it('may exceed the number of prepared statements on the server', async () => {
      for (let round = 0; round < 2; round++)
        await database.read(async (sql) => {
          const numbers = Array.from({ length: 600 }, (_, n) => n);
          const rows = await Promise.all(
            numbers.map((n) => sql.get(`select ${n} + ? as sum_${n}`, [round])),
          );
          expect(rows).to.deep.equal(numbers.map((n) => ({ [`sum_${n}`]: n + round })));
        });
    });
  });
