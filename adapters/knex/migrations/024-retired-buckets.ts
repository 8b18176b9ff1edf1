import type { Migration } from './migration.ts';

/** Connections to buckets that owners have removed, until the last copy has been brought back from there. */
export const retiredBuckets: Migration = {
  version: 24,
  name: 'retired buckets',
  up: async (knex, { text, small }) => {
    await knex.raw(`create table retired_buckets (
      owner_id ${text} not null,
      id ${text} not null,
      config ${text} not null,
      sealed_secret ${text},
      primary key (owner_id, id)
    )${small}`);
  },
};
