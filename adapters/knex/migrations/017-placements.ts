import type { Migration } from './migration.ts';

/** Copies of blobs that lie elsewhere than with the service under their own id, or did, or are about to. */
export const placements: Migration = {
  version: 17,
  name: 'placements',
  up: async (knex, { text, int, small }) => {
    await knex.raw(`create table placements (
      owner_id ${text} not null,
      stored_as ${text} not null,
      blob_id ${text} not null,
      place ${text} not null,
      state ${text} not null,
      created_at ${int} not null,
      primary key (owner_id, stored_as)
    )${small}`);
    await knex.raw('create index placements_of_blob on placements (blob_id)');
    await knex.raw('create index placements_as_stored on placements (stored_as)');
    await knex.raw('create index placements_by_place on placements (owner_id, place)');
    await knex.raw(
      "create unique index placements_here on placements (owner_id, blob_id) where state = 'here'",
    );
  },
};
