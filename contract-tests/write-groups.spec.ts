import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { WriteGroups } from '../adapters/knex/sqlite/write-groups.ts';
import { PortFailure } from '../ports/failures.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const outcomes = async (attempts: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(attempts)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason as unknown),
  );

describe('sqlite: writes that share a commit', () => {
  let folder: string;
  let connection: Sqlite.Database;
  let other: Sqlite.Database;
  let groups: WriteGroups;
  let hasty: WriteGroups;
  /** What was said to the database. */
  let said: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'owner-workspace-'));
    const file = join(folder, 'some.db');
    said = [];
    connection = new Sqlite(file, {
      verbose: (text) => said.push(String(text).split(' ')[0] ?? ''),
    });
    connection.pragma('journal_mode = wal');
    connection.pragma('foreign_keys = on');
    connection.exec(`create table notes (n integer, text text default '');
      create table heads (id integer primary key);
      create table tails (head integer references heads (id) deferrable initially deferred)`);
    other = new Sqlite(file, { readonly: true });
    let lent: Promise<unknown> = Promise.resolve();
    let giveBack = (): void => undefined;
    const pool = {
      acquireConnection: async () => {
        await lent;
        lent = new Promise<void>((resolve) => (giveBack = resolve));
        return connection;
      },
      releaseConnection: async () => giveBack(),
    };
    // However busy the machine is, what waits is one group.
    groups = new WriteGroups(pool, 1_000, Infinity);
    hasty = new WriteGroups(pool, 1_000, 5);
    said.length = 0;
  });
  afterEach(async () => {
    connection.close();
    other.close();
    await rm(folder, { recursive: true });
  });

  const add = (n: number) => connection.prepare('insert into notes (n) values (?)').run(n);
  const kept = () => other.prepare('select n from notes order by rowid').pluck().all();
  const commits = () => said.filter((word) => word === 'commit').length;

  it('are done in the order they came, and committed once', async () => {
    const answers = await outcomes([1, 2, 3].map((n) => groups.write(async () => void add(n))));
    expect(answers).to.deep.equal([undefined, undefined, undefined]);
    expect(kept()).to.deep.equal([1, 2, 3]);
    expect(commits()).to.equal(1);
  });

  it('take back what failed and nothing else, wherever in the group it was', async () => {
    for (const failing of [0, 1, 2]) {
      connection.exec('delete from notes');
      const error = new Error('no');
      const answers = await outcomes(
        [0, 1, 2].map((n) =>
          groups.write(async () => {
            add(n);
            await pause(0);
            if (n === failing) throw error;
            return n;
          }),
        ),
      );
      expect(answers).to.deep.equal([0, 1, 2].map((n) => (n === failing ? error : n)));
      expect(kept()).to.deep.equal([0, 1, 2].filter((n) => n !== failing));
    }
  });

  it('see what those before them have written, and are answered when it is durable', async () => {
    const seen: unknown[] = [];
    const first = groups.write(async () => void add(1));
    const refused = groups.write(async () => {
      seen.push(connection.prepare('select n from notes').pluck().get(), kept().length);
      throw new Error('There is one already.');
    });
    await first;
    seen.push(kept().length);
    await refused.catch(() => seen.push(kept().length));
    expect(seen).to.deep.equal([1, 0, 1, 1]);
  });

  it('are all told when the commit fails, leave nothing, and the next ones go on', async () => {
    const tail = () => void connection.prepare('insert into tails (head) values (77)').run();
    const answers = await outcomes([
      groups.write(async () => void add(1)),
      groups.write(async () => tail()),
      groups.write(() => Promise.reject(new Error('of its own'))),
    ]);
    for (const answer of answers)
      expect((answer as Error).message).to.match(/FOREIGN KEY constraint failed/);
    expect(kept()).to.deep.equal([]);
    expect(await groups.write(async () => 'again')).to.equal('again');
  });

  it('are all told of a disk that is full', async () => {
    const pages = connection.pragma('page_count', { simple: true }) as number;
    connection.pragma(`max_page_count = ${pages}`);
    const large = 'x'.repeat(100_000);
    const answers = await outcomes([
      groups.write(async () => void add(1)),
      groups.write(async () =>
        connection.prepare('insert into notes (n, text) values (2, ?)').run(large),
      ),
      groups.write(async () => void add(3)),
    ]);
    expect(answers[0]).to.be.instanceOf(PortFailure);
    expect(answers[1]).to.be.instanceOf(PortFailure);
    // The one that had not begun yet is of another group.
    expect(answers[2]).to.equal(undefined);
    expect(kept()).to.deep.equal([3]);
  });

  it('are no more than 64, and begin none after a while', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => groups.write(async () => void add(n))));
    expect(commits()).to.equal(2);
    expect(kept()).to.have.length(100);
    said.length = 0;
    const slow = hasty.write(() => pause(20));
    await Promise.all([slow, hasty.write(async () => void add(1))]);
    expect(commits()).to.equal(2);
  });

  it('let nobody wait for a large one', async () => {
    const write = (n: number, size?: 'large') => groups.write(async () => void add(n), size);
    let seen: unknown;
    const small = write(1);
    const large = groups.write(async () => void (seen = kept()), 'large');
    await Promise.all([small, large, write(3), write(4)]);
    // The first is durable before the large one begins, and those after it share a commit.
    expect(seen).to.deep.equal([1]);
    expect(commits()).to.equal(3);
    expect(kept()).to.deep.equal([1, 3, 4]);
  });

  it('are refused when too many wait', async () => {
    let open = (): void => undefined;
    const held = groups.write(() => new Promise<void>((resolve) => (open = resolve)));
    const crowd = Array.from({ length: 2_100 }, (_, n) => groups.write(async () => void add(n)));
    const told = outcomes(crowd);
    await pause(1);
    open();
    await held;
    const answers = await told;
    const refused = answers.filter((answer) => answer instanceof PortFailure);
    expect(refused.length).to.be.greaterThan(0);
    expect(kept()).to.have.length(answers.length - refused.length);
  });
});

describe('sqlite: a process that is killed while it writes', () => {
  it('has lost nothing that it acknowledged, and left no half of a unit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'owner-workspace-'));
    const file = join(folder, 'some.db');
    const script = `
      import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, '../adapters/knex/sqlite/open.ts'))};
      const database = openSqlite(${JSON.stringify(file)});
      await database.knex.raw('create table if not exists halves (n integer, half integer)');
      let n = 0;
      const stream = async () => {
        for (;;) {
          const mine = n++;
          await database.write('', async (sql) => {
            await sql.run('insert into halves values (?, 1)', [mine]);
            if (mine % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
            await sql.run('insert into halves values (?, 2)', [mine]);
            if (mine % 5 === 0) throw new Error('taken back');
          }).then(() => process.stdout.write(mine + '\\n'), () => undefined);
        }
      };
      await Promise.all(Array.from({ length: 16 }, stream));`;
    try {
      for (let round = 0; round < 3; round++) {
        await rm(file, { force: true });
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let heard = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
        await once(child.stdout, 'data');
        await pause(50 + 40 * round);
        const gone = once(child, 'close');
        child.kill('SIGKILL');
        await gone;
        const database = new Sqlite(file);
        const count = 'select n, count(*) as halves from halves group by n';
        const rows = database.prepare(count).all() as { n: number; halves: number }[];
        database.close();
        expect(rows.filter(({ halves }) => halves !== 2)).to.deep.equal([]);
        expect(rows.filter(({ n }) => n % 5 === 0)).to.deep.equal([]);
        const there = new Set(rows.map(({ n }) => n));
        const acknowledged = heard.split('\n').slice(0, -1).map(Number);
        expect(acknowledged.length).to.be.greaterThan(0);
        expect(acknowledged.filter((n) => !there.has(n))).to.deep.equal([]);
        for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
