import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import type { Database } from '../adapters/knex/database.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import type { Sql } from '../adapters/knex/sql.ts';
import { PortFailure } from '../ports/failures.ts';
import type { WriteSize } from '../ports/unit-of-work.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const outcomes = async (attempts: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(attempts)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason as unknown),
  );
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

interface UnitSample {
  readonly turn: string;
  readonly handle: number;
  readonly size: WriteSize;
  /** Reads before it writes. */
  readonly looks: boolean;
  /** Something else takes its time in the middle. */
  readonly waits: boolean;
  /** Waits for its own changes. */
  readonly counts: boolean;
  /** Of itself, by a change that nobody waits for, by a statement it waits for, or by going on after one of those. */
  readonly fails:
    'no' | 'throws' | 'change' | 'run' | 'goes on' | 'goes on at once' | 'goes on soon';
}

const samples = (): fc.Arbitrary<readonly UnitSample[]> =>
  fc.array(
    fc.record({
      turn: fc.constantFrom('a', 'a', 'a', 'b'),
      handle: fc.constantFrom(0, 0, 0, 1),
      size: fc.constantFrom<WriteSize>('small', 'small', 'small', 'small', 'large'),
      looks: fc.boolean(),
      waits: fc.boolean(),
      counts: fc.boolean(),
      fails: fc.constantFrom<UnitSample['fails'][]>(
        ...([
          'no',
          'no',
          'no',
          'no',
          'throws',
          'change',
          'run',
          'goes on',
          'goes on at once',
          'goes on soon',
        ] as const),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );

const ADD = 'insert into notes (turn, id, part, at) values (?, ?, ?, pg_current_xact_id()::text)';
const own = new Error('of its own');

/** Answers with what it has seen of its turn. */
async function perform(sql: Sql, { turn, fails, looks, waits, counts }: UnitSample, id: number) {
  const add = (part: number): Promise<unknown> =>
    counts ? sql.run(ADD, [turn, id, part]) : sql.change(ADD, [turn, id, part]);
  const seen = looks
    ? await sql.column<number>('select distinct id from notes where turn = ? order by id', [turn])
    : [];
  await add(1);
  if (waits) await pause(1);
  if (fails === 'throws') throw own;
  if (fails === 'change') await sql.change(ADD, [turn, id, 1]);
  if (fails === 'run') await sql.run(ADD, [turn, id, 1]);
  if (fails === 'goes on') await sql.run(ADD, [turn, id, 1]).catch(() => undefined);
  if (fails.startsWith('goes on ')) void sql.run(ADD, [turn, id, 1]).catch(() => undefined);
  // What fails is under way by then, and nothing is known of it yet.
  if (fails === 'goes on soon') await endOfTurn();
  await add(2);
  return seen;
}

if (selectedBackends().includes('postgres'))
  describe('postgres: writes that share a commit', () => {
    let place: Awaited<ReturnType<typeof openTestDatabase>>;
    let handles: readonly [Database, Database];
    let client: pg.Client;
    before(async () => {
      place = await openTestDatabase();
      // No group ends by time, so that a busy machine changes nothing about which units share a commit.
      handles = [openPostgres(place.url, 3, 60_000), openPostgres(place.url, 3, 60_000)];
      client = new pg.Client(place.url);
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`
        create table notes (place bigserial, turn text, id integer, part integer, at text, primary key (turn, id, part));
        create table heads (id integer primary key);
        create table tails (head integer references heads (id) deferrable initially deferred)`);
    });
    beforeEach(() => client.query('delete from notes'));
    after(async () => {
      for (const handle of handles) await handle.close();
      await client.end();
      await place.drop();
    });

    const write = (
      id: number,
      work: (sql: Sql) => Promise<unknown> = () => Promise.resolve(),
      size?: WriteSize,
    ) =>
      handles[0].write(
        'a',
        async (sql) => {
          await sql.change(ADD, ['a', id, 1]);
          return work(sql);
        },
        size,
      );
    const kept = async (): Promise<{ id: number; at: string }[]> => {
      const text = 'select id, at from notes where part = 1 order by place';
      return (await client.query<{ id: number; at: string }>(text)).rows;
    };
    const ids = async () => (await kept()).map(({ id }) => id);
    const commits = async () => new Set((await kept()).map(({ at }) => at)).size;

    it('end as if one had run after the other, and keep all of a unit or nothing, whatever fails', () =>
      fc.assert(
        fc.asyncProperty(samples(), async (some) => {
          await client.query('delete from notes');
          const answers = await outcomes(
            some.map((sample, id) =>
              handles[sample.handle === 0 ? 0 : 1].write(
                sample.turn,
                (sql) => perform(sql, sample, id),
                sample.size,
              ),
            ),
          );
          const { rows } = await client.query<{ turn: string; id: number; parts: number }>(
            'select turn, id, count(*)::int as parts from notes group by turn, id order by min(place)',
          );
          for (const [id, { fails, counts, looks, turn, handle }] of some.entries()) {
            const answer = answers[id];
            const row = rows.find((each) => each.id === id);
            expect(row?.parts, `unit ${id}`).to.equal(fails === 'no' ? 2 : undefined);
            if (fails === 'throws') expect(answer).to.equal(own);
            else if (fails === 'goes on')
              expect(String(answer)).to.match(/went on after a statement of it had failed/);
            else if (fails.startsWith('goes on ')) expect(answer).to.be.instanceOf(Error);
            else if (fails !== 'no') expect(codeOf(answer), `${counts}`).to.equal('23505');
            else if (looks) {
              // Of its own process it has seen whatever came before it and was kept, and nothing else.
              const before = some.flatMap((each, n) =>
                n < id && each.turn === turn && each.handle === handle && each.fails === 'no'
                  ? [n]
                  : [],
              );
              const alike = (answer as number[]).filter((n) => some[n]?.handle === handle);
              expect(alike, `seen by ${id}`).to.deep.equal(before);
            }
          }
        }),
        { numRuns: 150 },
      ));

    it('are done in the order they came, and committed together but for the first', async () => {
      await Promise.all([1, 2, 3, 4].map((id) => write(id)));
      expect(await ids()).to.deep.equal([1, 2, 3, 4]);
      expect(await commits()).to.equal(1);
    });

    it('begin in another group once the previous one has reached its time limit', async () => {
      const handle = openPostgres(place.url, 3, 5);
      try {
        await Promise.all(
          [5, 6].map((id) =>
            handle.write('a', async (sql) => {
              await sql.change(ADD, ['a', id, 1]);
              await pause(20);
            }),
          ),
        );
        expect(await commits()).to.equal(2);
      } finally {
        await handle.close();
      }
    });

    it('are answered when it is durable, a refusal as well', async () => {
      const seen: unknown[] = [];
      const first = write(1, (sql) => sql.get('select 1 as one'));
      const refused = outcomes([
        handles[0].write('a', async (sql) => {
          seen.push((await sql.column('select id from notes')).length, (await ids()).length);
          throw own;
        }),
      ]);
      await first;
      seen.push((await ids()).length);
      await refused;
      seen.push((await ids()).length);
      expect(seen).to.deep.equal([1, 0, 1, 1]);
    });

    it('are all told when the commit fails, leave nothing, and the next ones go on', async () => {
      const answers = await outcomes([
        write(1),
        write(2, (sql) => sql.change('insert into tails (head) values (77)')),
        write(3, () => Promise.reject(own)),
      ]);
      expect(answers.map(codeOf)).to.deep.equal(['23503', '23503', '23503']);
      expect(await ids()).to.deep.equal([]);
      await write(4);
      expect(await ids()).to.deep.equal([4]);
    });

    it('are all told that the connection was lost, and the next ones find another', async () => {
      const answers = await outcomes([
        write(1, (sql) => sql.get('select 1 as one')),
        write(2, (sql) => sql.get('select pg_terminate_backend(pg_backend_pid())')),
        write(3, (sql) => sql.get('select 1 as one')),
      ]);
      for (const answer of answers.slice(0, 2)) expect(answer).to.be.instanceOf(PortFailure);
      const third = answers[2];
      if (third instanceof Error) expect(third).to.be.instanceOf(PortFailure);
      expect(await ids()).to.deep.equal(third instanceof Error ? [] : [3]);
      await write(4);
      expect((await ids()).at(-1)).to.equal(4);
    });

    it('are told of an outage when the lock can not be had, those behind it as well', async () => {
      const lock = createHash('sha256').update('a').digest().readBigInt64BE().toString();
      await client.query('select pg_advisory_lock($1)', [lock]);
      const told = outcomes([
        // It waits for nothing, so that the next one is on its way when the lock is refused.
        write(1),
        write(2, (sql) => sql.get('select 1 as one')),
        write(3),
      ]);
      const cancelled = `select pg_cancel_backend(pid) from pg_locks
        where locktype = 'advisory' and not granted and database =
          (select oid from pg_database where datname = current_database())`;
      while ((await client.query(cancelled)).rowCount === 0) await pause(5);
      await client.query('select pg_advisory_unlock($1)', [lock]);
      const answers = await told;
      expect(answers[0]).to.be.instanceOf(PortFailure);
      expect(answers[1]).to.be.instanceOf(PortFailure);
      expect(answers[2]).to.equal(undefined);
      expect(await ids()).to.deep.equal([3]);
    });

    it('take back a unit that was refused before anything of the refused was sent', async () => {
      const many = Array.from({ length: 65_536 }, () => 1);
      const answers = await outcomes([
        write(1),
        write(2, (sql) => sql.run('select 1', many)),
        write(3, (sql) => sql.change('select 1', many)),
        write(4),
      ]);
      expect(String(answers[1])).to.match(/65536 values/);
      expect(String(answers[2])).to.match(/65536 values/);
      expect(await ids()).to.deep.equal([1, 4]);
    });

    it('are kept when somebody goes on after the end, who is refused', async () => {
      const { promise: late, resolve } = Promise.withResolvers<readonly unknown[]>();
      await handles[0].write('a', async (sql) => {
        await sql.change(ADD, ['a', 1, 1]);
        // By then the commit is under way.
        setImmediate(() => resolve(outcomes([sql.change(ADD, ['a', 2, 1])])));
      });
      expect(String(await late)).to.match(/after its unit of work/);
      expect(await ids()).to.deep.equal([1]);
    });

    it('are told the reason of a change that nobody waited for, whatever they ask at once', async () => {
      const [answer] = await outcomes([
        write(1, async (sql) => {
          const seen = sql.get('select 1 as one');
          await sql.change(ADD, ['a', 1, 1]);
          await seen;
          await sql.run(ADD, ['a', 1, 2]);
        }),
      ]);
      expect(codeOf(answer)).to.equal('23505');
    });

    it('let nobody wait for a large one', async () => {
      let seen: unknown;
      const look = async () => void (seen = await ids());
      await Promise.all([write(1), write(2, look, 'large'), write(3), write(4)]);
      // The first is durable before the large one begins, and those after it share a commit.
      expect(seen).to.deep.equal([1]);
      expect(await commits()).to.equal(3);
      expect(await ids()).to.deep.equal([1, 2, 3, 4]);
    });

    it('take nothing of others with them when one asks for nothing', async () => {
      const answers = await outcomes([
        handles[0].write('a', () => Promise.resolve('idle')),
        handles[0].write('a', () => Promise.reject(own)),
        write(1),
        handles[0].write('a', () => Promise.resolve('idle too')),
        handles[0].write('a', () => Promise.reject(own)),
        write(2),
      ]);
      expect(answers).to.deep.equal(['idle', own, undefined, 'idle too', own, undefined]);
      expect(await ids()).to.deep.equal([1, 2]);
    });

    it('are refused when too many wait', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const held = write(0, () => released);
      const crowd = outcomes(Array.from({ length: 2_100 }, (_, n) => write(n + 1)));
      release();
      await held;
      const answers = await crowd;
      const refused = answers.filter((answer) => answer instanceof PortFailure);
      expect(refused.length).to.be.greaterThan(0);
      expect(await ids()).to.have.length(answers.length - refused.length + 1);
    });

    it('have lost nothing that was acknowledged, and left no half of a unit, when the process is killed', async function () {
      this.timeout(60_000);
      await client.query('create table halves (n integer, half integer)');
      const script = `
        import { openPostgres } from ${JSON.stringify(join(import.meta.dirname, '../adapters/knex/postgres/open.ts'))};
        const database = openPostgres(${JSON.stringify(place.url)});
        let n = Number(process.argv.at(-1));
        const stream = async () => {
          for (;;) {
            const mine = n++;
            await database.write('', async (sql) => {
              await sql.change('insert into halves values (?, 1)', [mine]);
              if (mine % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
              await sql.change('insert into halves values (?, 2)', [mine]);
              if (mine % 5 === 0) throw new Error('taken back');
              if (mine % 11 === 0) await sql.change('insert into halves values (?, 1 / 0)', [mine]);
            }).then(() => process.stdout.write(mine + '\\n'), () => undefined);
          }
        };
        await Promise.all(Array.from({ length: 16 }, stream));`;
      for (let round = 0; round < 3; round++) {
        const from = String(round * 1_000_000 + 1);
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', from], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let heard = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
        await once(child.stdout, 'data');
        await pause(50 + 40 * round);
        const gone = once(child, 'close');
        child.kill('SIGKILL');
        await gone;
        const acknowledged = heard.split('\n').slice(0, -1).map(Number);
        expect(acknowledged.length).to.be.greaterThan(0);
        const { rows } = await client.query<{ n: number; halves: number }>(
          'select n, count(*)::int as halves from halves group by n',
        );
        expect(rows.filter(({ halves }) => halves !== 2)).to.deep.equal([]);
        expect(rows.filter(({ n }) => n % 5 === 0 || n % 11 === 0)).to.deep.equal([]);
        const there = new Set(rows.map(({ n }) => n));
        expect(acknowledged.filter((n) => !there.has(n))).to.deep.equal([]);
      }
    });
  });
