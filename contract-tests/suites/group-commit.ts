import { setImmediate as endOfTick } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Database } from '../../adapters/knex/database.ts';
import type { Sql } from '../../adapters/knex/sql.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { WriteSize } from '../../ports/unit-of-work.ts';

export type GroupWriter = Pick<Database, 'write'>;

/** How a unit of the model fails: by an exception, by a change or a query, or by continuing after a failed query. */
export type UnitFailure =
  'no' | 'throws' | 'change' | 'run' | 'continues' | 'continues at once' | 'continues later';

/** A database with the tables `notes` (owner, id, part, unique together), `heads` and `tails`. */
export interface GroupCommitFixture {
  readonly maxUnits: number;
  /** Inserts a note: owner, id, part. */
  readonly insertText: string;
  readonly uniqueViolation: string;
  readonly foreignKeyViolation: string;
  readonly failures: readonly UnitFailure[];
  /** Two processes would use one each. They never end a group by time. */
  readonly writers: readonly [GroupWriter, GroupWriter];
  /** Ends a group after five milliseconds. */
  readonly briefWriter: GroupWriter;
  /** Sees what is committed. */
  query<Row>(text: string): Promise<Row[]>;
  /** Commits of writes since `clear`. */
  commits(): Promise<number>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const OWNER = 'a';
const workError = new Error('The work failed.');
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const outcomes = async (
  attempts: readonly Promise<unknown>[],
): Promise<readonly unknown[]> =>
  (await Promise.allSettled(attempts)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason as unknown),
  );
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

export function groupCommitSuite(name: string, openFixture: () => Promise<GroupCommitFixture>) {
  describe(`${name}: group commit`, () => {
    let fixture: GroupCommitFixture;
    before(async () => {
      fixture = await openFixture();
    });
    beforeEach(() => fixture.clear());
    after(() => fixture.close());

    const insert = (sql: Sql, id: number, part = 1) =>
      sql.enqueueChange(fixture.insertText, [OWNER, id, part]);
    const write = (
      id: number,
      work: (sql: Sql) => Promise<unknown> = () => Promise.resolve(),
      size?: WriteSize,
    ) =>
      fixture.writers[0].write(
        OWNER,
        async (sql) => {
          await insert(sql, id);
          return work(sql);
        },
        size,
      );
    const ids = async () =>
      (await fixture.query<{ id: number }>('select id from notes order by place')).map(
        ({ id }) => id,
      );

    it('ends as if the units had run one after the other, and commits all of a unit or nothing', () =>
      fc.assert(
        fc.asyncProperty(unitSamples(fixture.failures), (samples) =>
          checkSerialModel(fixture, samples),
        ),
        { numRuns: 150 },
      ));

    it('commits waiting units together, in the order of their calls', async () => {
      await Promise.all([1, 2, 3, 4].map((id) => write(id)));
      expect(await ids()).to.deep.equal([1, 2, 3, 4]);
      expect(await fixture.commits()).to.equal(1);
    });

    it('rolls back a failed unit and no other, at every position', async () => {
      for (const failing of [0, 1, 2]) {
        await fixture.clear();
        const results = await outcomes(
          [0, 1, 2].map((id) =>
            write(id, async () => {
              await pause(0);
              if (id === failing) throw workError;
              return id;
            }),
          ),
        );
        expect(results).to.deep.equal([0, 1, 2].map((id) => (id === failing ? workError : id)));
        expect(await ids()).to.deep.equal([0, 1, 2].filter((id) => id !== failing));
      }
    });

    it('rolls back only the last unit when its unawaited change fails', async () => {
      const results = await outcomes([
        write(1),
        write(2, () => Promise.reject(workError)),
        write(3),
        write(4, (sql) => insert(sql, 4)),
      ]);
      expect(results.map(codeOf)).to.deep.equal([
        ...[undefined, undefined, undefined],
        fixture.uniqueViolation,
      ]);
      expect(await ids()).to.deep.equal([1, 3]);
      expect(await fixture.commits()).to.equal(1);
    });

    it('rolls back only the last unit when its change fails after the work has ended', async () => {
      const results = await outcomes([
        write(1, (sql) => sql.get('select 1 as one')),
        write(2, async (sql) => {
          await insert(sql, 2);
          // The failing change was sent by then, and has no result yet.
          await new Promise<void>((resolve) => process.nextTick(resolve));
        }),
      ]);
      expect(results[0]).to.deep.equal({ one: 1 });
      expect(codeOf(results[1])).to.equal(fixture.uniqueViolation);
      expect(await ids()).to.deep.equal([1]);
    });

    it('shows a unit the changes before it, and returns results and errors after the commit', async () => {
      const seen: unknown[] = [];
      const first = write(1, (sql) => sql.get('select 1 as one'));
      const rejected = fixture.writers[0]
        .write(OWNER, async (sql) => {
          seen.push((await sql.column('select id from notes')).length, (await ids()).length);
          throw workError;
        })
        .catch(async () => seen.push((await ids()).length));
      await first;
      seen.push((await ids()).length);
      await rejected;
      expect(seen).to.deep.equal([1, 0, 1, 1]);
    });

    it('rejects every unit when the commit fails, and runs the next group', async () => {
      const results = await outcomes([
        write(1),
        write(2, (sql) => sql.enqueueChange('insert into tails (head) values (77)')),
        write(3, () => Promise.reject(workError)),
      ]);
      expect(results.map(codeOf)).to.deep.equal(results.map(() => fixture.foreignKeyViolation));
      expect(await ids()).to.deep.equal([]);
      await write(4);
      expect(await ids()).to.deep.equal([4]);
    });

    it('begins another group at the limit of units', async () => {
      await Promise.all(Array.from({ length: fixture.maxUnits + 5 }, (_, n) => write(n)));
      expect(await fixture.commits()).to.equal(2);
      expect(await ids()).to.have.length(fixture.maxUnits + 5);
    });

    it('begins another group once the time limit has passed', async () => {
      const slow = (id: number) =>
        fixture.briefWriter.write(OWNER, async (sql) => {
          await insert(sql, id);
          await pause(20);
        });
      await Promise.all([slow(1), slow(2)]);
      expect(await fixture.commits()).to.equal(2);
    });

    it('gives a large unit a group of its own', async () => {
      let seen: unknown;
      const large = async () => void (seen = await ids());
      await Promise.all([write(1), write(2, large, 'large'), write(3), write(4)]);
      expect(seen).to.deep.equal([1]);
      expect(await fixture.commits()).to.equal(3);
      expect(await ids()).to.deep.equal([1, 2, 3, 4]);
    });

    it('commits other units when one has no statements', async () => {
      const without = (work: () => Promise<unknown>) => fixture.writers[0].write(OWNER, work);
      const results = await outcomes([
        without(() => Promise.resolve('idle')),
        without(() => Promise.reject(workError)),
        write(1),
        without(() => Promise.resolve('idle too')),
        without(() => Promise.reject(workError)),
        write(2),
        without(() => Promise.resolve('idle at the end')),
      ]);
      expect(results).to.deep.equal([
        ...['idle', workError, undefined, 'idle too', workError, undefined, 'idle at the end'],
      ]);
      expect(await ids()).to.deep.equal([1, 2]);
    });

    it('rejects units beyond the limit of the queue', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const held = write(0, () => released);
      const many = outcomes(Array.from({ length: 2_100 }, (_, n) => write(n + 1)));
      await pause(1);
      release();
      await held;
      const results = await many;
      const rejected = results.filter((result) => result instanceof UnavailableError);
      expect(rejected.length).to.be.greaterThan(0);
      expect(await ids()).to.have.length(results.length - rejected.length + 1);
    });

    it('rejects a statement after the end of its unit, and commits the unit', async () => {
      const { promise: late, resolve } = Promise.withResolvers<readonly unknown[]>();
      await fixture.writers[0].write(OWNER, async (sql) => {
        await insert(sql, 1);
        // The commit is in progress by then.
        setImmediate(() => resolve(outcomes([Promise.resolve().then(() => insert(sql, 2))])));
      });
      expect(String(await late)).to.match(/after its unit of work/);
      expect(await ids()).to.deep.equal([1]);
    });
  });
}

interface UnitSample {
  readonly owner: string;
  readonly writer: number;
  readonly size: WriteSize;
  /** Queries before it writes. */
  readonly queriesFirst: boolean;
  /** Waits for something else between its changes. */
  readonly pauses: boolean;
  /** Waits for its own changes. */
  readonly awaitsChanges: boolean;
  readonly failure: UnitFailure;
}

const unitSamples = (failures: readonly UnitFailure[]): fc.Arbitrary<readonly UnitSample[]> =>
  fc.array(
    fc.record({
      owner: fc.constantFrom('a', 'a', 'a', 'b'),
      writer: fc.constantFrom(0, 0, 0, 1),
      size: fc.constantFrom<WriteSize>('small', 'small', 'small', 'small', 'large'),
      queriesFirst: fc.boolean(),
      pauses: fc.boolean(),
      awaitsChanges: fc.boolean(),
      failure: fc.constantFrom<UnitFailure[]>('no', 'no', 'no', ...failures),
    }),
    { minLength: 1, maxLength: 12 },
  );

/** Returns the ids that the unit has seen of its owner. */
async function runSample(sql: Sql, insertText: string, sample: UnitSample, id: number) {
  const { owner, failure, queriesFirst, pauses, awaitsChanges } = sample;
  const insert = (part: number): Promise<unknown> =>
    awaitsChanges
      ? sql.run(insertText, [owner, id, part])
      : sql.enqueueChange(insertText, [owner, id, part]);
  const duplicate = () => sql.run(insertText, [owner, id, 1]);
  const seen = queriesFirst
    ? await sql.column<number>('select distinct id from notes where owner = ? order by id', [owner])
    : [];
  await insert(1);
  if (pauses) await pause(1);
  if (failure === 'throws') throw workError;
  if (failure === 'change') await sql.enqueueChange(insertText, [owner, id, 1]);
  if (failure === 'run') await duplicate();
  if (failure === 'continues') await duplicate().catch(() => undefined);
  if (failure.startsWith('continues ')) void duplicate().catch(() => undefined);
  // The failing statement was sent by then, and has no result yet.
  if (failure === 'continues later') await endOfTick();
  await insert(2);
  return seen;
}

async function checkSerialModel(fixture: GroupCommitFixture, samples: readonly UnitSample[]) {
  await fixture.clear();
  const results = await outcomes(
    samples.map((sample, id) =>
      (sample.writer === 0 ? fixture.writers[0] : fixture.writers[1]).write(
        sample.owner,
        (sql) => runSample(sql, fixture.insertText, sample, id),
        sample.size,
      ),
    ),
  );
  const rows = await fixture.query<{ id: number; parts: number }>(
    'select id, cast(count(*) as integer) as parts from notes group by id',
  );
  for (const [id, { failure, queriesFirst, owner, writer }] of samples.entries()) {
    const result = results[id];
    const parts = rows.find((each) => each.id === id)?.parts;
    expect(parts, `unit ${id}`).to.equal(failure === 'no' ? 2 : undefined);
    if (failure === 'throws') expect(result).to.equal(workError);
    else if (failure === 'continues')
      expect(String(result)).to.match(/continued after one of its statements had failed/);
    else if (failure.startsWith('continues ')) expect(result).to.be.instanceOf(Error);
    else if (failure !== 'no') expect(codeOf(result)).to.equal(fixture.uniqueViolation);
    else if (queriesFirst) {
      // Of its own process it has seen every unit that came before it and did not fail.
      const expected = samples.flatMap((each, n) =>
        n < id && each.owner === owner && each.writer === writer && each.failure === 'no'
          ? [n]
          : [],
      );
      const seen = (result as number[]).filter((n) => samples[n]?.writer === writer);
      expect(seen, `seen by ${id}`).to.deep.equal(expected);
    }
  }
}
