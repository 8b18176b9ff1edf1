import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Database } from '../adapters/knex/database.ts';
import { applyMigrations, migrate } from '../adapters/knex/schema/migrate.ts';
import type { Migration } from '../adapters/knex/schema/migration.ts';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';
import { LATER_MIGRATIONS } from './later-migrations.ts';
import {
  SCHEMAS,
  describeSchema,
  fixtureName,
  openPlace,
  rowsOf,
  runScript,
  type Dialect,
  type Place,
} from './schema-fixtures.ts';

const kept = readdirSync(SCHEMAS);
const versionOf = (name: string): number => Number(name.slice(0, 3));
/** Tables that a migration fills again from other tables. */
const RECOUNTED = ['object_counts'];
/** Processes that start together. */
const TOGETHER = 3;

describe('stored schemas', () => {
  it('exist for every migration in both databases (`npm run schema:snapshot` writes them)', () => {
    const needed = MIGRATIONS.flatMap(({ version }) => [
      fixtureName(version, 'sqlite'),
      fixtureName(version, 'postgres'),
    ]);
    expect(kept).to.have.members(needed);
  });

  it('belong to migrations that are numbered from 1', () => {
    const known = MIGRATIONS.map(({ version }) => version);
    expect(known).to.deep.equal(known.map((_, index) => index + 1));
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

/** Created for one test: a server takes longer to preserve and drop tables than to create them. */
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
  describe(`${dialect}: stored schemas`, function () {
    this.timeout(120_000);

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
    const names = kept.filter((name) => name.includes(`.${dialect}.`)).sort();
    const load = (on: Database, name: string) =>
      runScript(on, readFileSync(join(SCHEMAS, name), 'utf8'));
    const upgrade = ({ knex }: Database, migrations: readonly Migration[]) =>
      applyMigrations(knex as Knex.Transaction, dialect, migrations);
    const freshSchema = (migrations: readonly Migration[]) =>
      onTrial(database, async (trial) => {
        await upgrade(trial, migrations);
        return describeSchema(trial);
      });

    it('differ if one column, default, key or index differs', () =>
      onTrial(database, async (trial) => {
        await upgrade(trial, MIGRATIONS);
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

    it('equal the schema of a new database after the upgrade to the newest version', async () => {
      const fresh = await freshSchema(MIGRATIONS);
      expect(fresh.length).to.be.above(100);
      for (const name of names)
        await onTrial(database, async (trial) => {
          await load(trial, name);
          await upgrade(trial, MIGRATIONS);
          expect(await describeSchema(trial), name).to.deep.equal(fresh);
        });
    });

    /** Loads a stored schema with its rows, upgrades it, and compares schema and rows with those expected. */
    const requireUpgrade = async (
      name: string,
      on: Database,
      expected: readonly string[],
      run: () => Promise<void>,
    ) => {
      await load(on, name);
      const before = await rowsOf(on);
      expect(before.get('schema_versions')).to.have.length(versionOf(name));
      await run();
      expect(await describeSchema(on), name).to.deep.equal(expected);
      const after = await rowsOf(on);
      for (const [table, rows] of before) {
        expect(rows, `${name}: ${table}`).not.to.deep.equal([]);
        if (RECOUNTED.includes(table)) continue;
        // Columns that a later version has dropped are not compared.
        const left = after.get(table) ?? [];
        const known = Object.keys(left[0] ?? {});
        const part = (row: Readonly<Record<string, unknown>>) =>
          JSON.stringify(known.filter((key) => key in (rows[0] ?? {})).map((key) => row[key]));
        expect(left.map(part), `${name}: ${table}`).to.include.members(rows.map(part));
      }
      const authors = after.get('text_corrections')?.map(({ author }) => author);
      expect(authors).to.deep.equal(['owner', 'owner']);
    };

    it('are upgraded by later migrations, and their rows survive', async () => {
      const fresh = await freshSchema(LATER_MIGRATIONS);
      for (const name of names)
        await onTrial(database, (trial) =>
          requireUpgrade(name, trial, fresh, () => upgrade(trial, LATER_MIGRATIONS)),
        );
    });

    it('are upgraded once when several processes start at the same time', async () => {
      const fresh = await freshSchema(LATER_MIGRATIONS);
      const other = await newPlace(dialect);
      const handles = Array.from({ length: TOGETHER }, () => openPlace(other));
      try {
        await requireUpgrade(names[0] ?? '', handles[0]!, fresh, async () => {
          await Promise.all(handles.map((each) => migrate(each, LATER_MIGRATIONS)));
        });
      } finally {
        await Promise.all(handles.map((each) => each.close()));
        await other.drop();
      }
    });
  });
