import type { Migration } from './migration.ts';

/** What the last check has shown of the service of a model. Connections of before are as without anything shown. */
export const modelHabits: Migration = {
  version: 11,
  name: 'model habits',
  up: async (knex, { text }) => {
    await knex.raw(`alter table integrations add column habits ${text} not null default '[]'`);
  },
};
