import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Database } from '../adapters/knex/database.ts';
import { MIGRATIONS, migrate, raise } from '../adapters/knex/migrations/index.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';
import {
  SCHEMAS,
  describeSchema,
  fixtureName,
  openPlace,
  released,
  rowsOf,
  runScript,
  type Dialect,
  type Place,
} from './schema-fixtures.ts';

const kept = readdirSync(SCHEMAS);
const versionOf = (name: string): number => Number(name.slice(0, 3));
/** Processes that start together. */
const TOGETHER = 3;

describe('released schemas', () => {
  it('are kept in both databases: `npm run schemas` keeps those that are not', () => {
    const needed = released().flatMap((version) => [
      fixtureName(version, 'sqlite'),
      fixtureName(version, 'postgres'),
    ]);
    expect(kept).to.include.members(needed);
  });

  it('have a migration each', () => {
    const known = MIGRATIONS.map(({ version }) => version);
    expect(known).to.deep.equal(known.map((_, index) => index + 1));
    expect(known).to.include.members(kept.map(versionOf));
  });
});

async function newPlace(dialect: Dialect): Promise<Place & { drop(): Promise<void> }> {
  if (dialect === 'postgres') {
    const server = await openTestDatabase();
    return { dialect, at: server.url, drop: () => server.drop() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'ow-schema-'));
  const drop = () => rm(folder, { recursive: true });
  return { dialect, at: join(folder, 'workspace.db'), drop };
}

const lookedAt = async (database: Database) => ({
  schema: await describeSchema(database),
  rows: await rowsOf(database),
});

/** What is done in it is gone afterwards: a server takes longer to keep and to drop tables than to make them. */
async function onTrial<T>(database: Database, work: (trial: Database) => Promise<T>): Promise<T> {
  const trx = await database.knex.transaction();
  try {
    return await work({ ...database, knex: trx });
  } finally {
    await trx.rollback();
  }
}

for (const dialect of (['sqlite', 'postgres'] as const).filter((name) =>
  selectedBackends().includes(name),
))
  describe(`${dialect}: released schemas`, function () {
    this.timeout(120_000);

    const together = async (place: Place, processes: number) => {
      const handles = Array.from({ length: processes }, () => openPlace(place));
      try {
        await Promise.all(handles.map((each) => migrate(each)));
      } finally {
        await Promise.all(handles.map((each) => each.close()));
      }
    };

    let place: Awaited<ReturnType<typeof newPlace>>;
    let database: Database;
    before(async () => {
      place = await newPlace(dialect);
      database = openPlace(place);
    });
    after(async () => {
      await database.close();
      await place.drop();
    });
    const toNewest = ({ knex }: Database) => raise(knex as Knex.Transaction, dialect, MIGRATIONS);

    it('are told apart by one column, one default, one key and one index', () =>
      onTrial(database, async (trial) => {
        await toNewest(trial);
        let before = await describeSchema(trial);
        for (const change of [
          'alter table tenants add column more text',
          `alter table tenants add column most text not null default ''`,
          'create table guests (id text primary key, host text references tenants (id))',
          'create index guests_by_host on guests (host) where host is not null',
        ]) {
          await trial.knex.raw(change);
          const after = await describeSchema(trial);
          expect(after, change).not.to.deep.equal(before);
          before = after;
        }
      }));

    it('become the same as a fresh one, and their rows survive', async () => {
      const fresh = await onTrial(database, async (trial) => {
        await toNewest(trial);
        return describeSchema(trial);
      });
      expect(fresh.length).to.be.above(100);
      const raised = async (name: string, on: Database, up: () => Promise<void>) => {
        await runScript(on, readFileSync(join(SCHEMAS, name), 'utf8'));
        const before = await rowsOf(on);
        expect(before.get('schema_versions')).to.have.length(versionOf(name));
        await up();
        const after = await lookedAt(on);
        expect(after.schema, name).to.deep.equal(fresh);
        for (const [table, rows] of before) {
          expect(rows, `${name}: ${table}`).not.to.deep.equal([]);
          // As far as a later version knows the columns.
          const left = after.rows.get(table) ?? [];
          const known = Object.keys(left[0] ?? {});
          const part = (row: Readonly<Record<string, unknown>>) =>
            JSON.stringify(known.filter((key) => key in (rows[0] ?? {})).map((key) => row[key]));
          expect(left.map(part), `${name}: ${table}`).to.include.members(rows.map(part));
        }
      };
      const [oldest = '', ...later] = kept.filter((name) => name.includes(`.${dialect}.`)).sort();
      for (const name of later)
        await onTrial(database, (trial) => raised(name, trial, () => toNewest(trial)));
      // It has the longest way: several processes try it at once, for good.
      await raised(oldest, database, () => together(place, TOGETHER));
    });
  });
