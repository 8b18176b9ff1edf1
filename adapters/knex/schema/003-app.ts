import { bulkRunsStatements } from './003/bulk-runs.ts';
import { changesStatements } from './003/changes.ts';
import { conversationsStatements } from './003/conversations.ts';
import { placesStatements } from './003/places.ts';
import { uploadsStatements } from './003/uploads.ts';
import { fillLists, viewsStatements } from './003/views.ts';
import type { Migration } from './migration.ts';

const PARTS = [
  viewsStatements,
  bulkRunsStatements,
  uploadsStatements,
  conversationsStatements,
  changesStatements,
  placesStatements,
];

/** What the owner's app needs of the interface. */
export const app: Migration = {
  version: 3,
  name: 'app',
  up: async (knex, types) => {
    for (const statements of PARTS)
      for (const statement of statements(types)) await knex.raw(statement);
    await fillLists(knex, types);
  },
};
