import type { Migration } from './migration.ts';

/** What an owner has used of the monthly limits; a month is the moment it begins. */
export const monthlyUsage: Migration = {
  version: 6,
  name: 'monthly-usage',
  up: async (knex, { text, int, small }) => {
    await knex.raw(`create table monthly_usage (
      owner_id ${text} not null,
      month ${int} not null,
      metric ${text} not null,
      n ${int} not null,
      primary key (owner_id, month, metric)
    )${small}`);
  },
};
