import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from './backends-env.ts';
import { sharedByFiles } from './leftovers.ts';

/** The template of this process: a copy takes a tenth of the time of the migrations. */
const template = sharedByFiles({
  start: async () => {
    const place = await createTestDatabase();
    const database = openPostgres(place.url);
    try {
      await migrate(database);
    } finally {
      await database.close();
    }
    return place;
  },
  end: (place) => place.drop(),
  isRunning: () => true,
});

/** A temporary Postgres database with the current schema, and no rows. */
export const openMigratedDatabase = async (): Promise<TestDatabase> =>
  openTestDatabase(await template());
