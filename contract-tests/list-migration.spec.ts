import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { knexInspection } from '../adapters/knex/operations/inspection.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';
import { OBJECT_COLUMNS, toStoredRow } from '../adapters/knex/stores/objects/object-rows.ts';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { nameKey, type ObjectFilter } from '../ports/objects.ts';
import { openTestDatabase, selectedBackends } from './backends-env.ts';
import { anObject, newScope, passes } from './samples.ts';

/** The last version without columns and indexes for the orders of lists. */
const BEFORE = 2;
/** More than the migration fills in one statement. */
const COUNT = 2_100;

const places = {
  sqlite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'owner-workspace-'));
    return {
      open: () => openSqlite(join(folder, 'workspace.db')),
      drop: () => rm(folder, { recursive: true }),
    };
  },
  postgres: async () => {
    const place = await openTestDatabase();
    return { open: () => openPostgres(place.url), drop: () => place.drop() };
  },
};

for (const name of ['sqlite', 'postgres'] as const)
  if (selectedBackends().includes(name))
    describe(`${name}: objects of an earlier version`, () => {
      it('are in the lists of every filter and order after the upgrade', async () => {
        const place = await places[name]();
        const database = place.open();
        try {
          await migrate(
            database,
            MIGRATIONS.filter(({ version }) => version <= BEFORE),
          );
          const scope = newScope();
          const objects = Array.from({ length: COUNT }, (_, i) =>
            anObject({
              filename: `${i % 2 ? 'B' : 'a'}${(i * 7919) % COUNT}`,
              categories: i % 3 ? [] : ['Tax', 'TAX', 'Work'],
              suggestedName: i % 5 ? null : 'better',
              isHidden: i % 7 === 0,
              deletedAt: i % 11 ? null : 5,
              status: i % 13 ? 'ready' : 'failed',
            }),
          );
          const rows = objects.map((object) => {
            const row = toStoredRow(object);
            const columns = OBJECT_COLUMNS.map((column) => [column, row[column]]);
            return {
              ...(Object.fromEntries(columns) as Record<string, unknown>),
              owner_id: scope.ownerId,
              trashed: row.trashed,
            };
          });
          // SQLite limits the number of values of a statement.
          await database.knex.batchInsert('objects', rows, 50);
          await migrate(database);

          const integrity = knexInspection(database);
          for (const check of ['object_counts', 'object_lists'] as const)
            expect((await integrity.examine(check)).count, check).to.equal(0);
          const filters: readonly ObjectFilter[] = [
            { visibility: 'visible', trashed: false },
            { visibility: 'any', trashed: false, category: 'tax' },
            { visibility: 'hidden', trashed: false, category: 'work', status: 'failed' },
            { visibility: 'visible', trashed: true, hasSuggestion: true },
          ];
          for (const filter of filters) {
            const expected = objects.filter((object) => passes(object, filter));
            const names = expected.map(({ filename }) => nameKey(filename)).sort();
            const page = await new KnexUnitOfWork(database).read(scope, (s) =>
              s.objects.page(filter, { limit: COUNT, offset: 0, order: 'name' }),
            );
            expect(page.total).to.equal(expected.length);
            expect(page.items.map(({ filename }) => nameKey(filename))).to.deep.equal(names);
          }
        } finally {
          await database.close();
          await place.drop();
        }
      });
    });
