import type { Migration } from './migration.ts';

/** Small pictures of objects that were made once and are kept; any row may be dropped and made anew. */
export const thumbnails: Migration = {
  version: 5,
  name: 'thumbnails',
  up: async (knex, { text, int, small }) => {
    await knex.raw(`create table thumbnails (
      owner_id ${text} not null,
      object_id ${text} not null,
      longest_side ${int} not null,
      content_hash ${text} not null,
      blob_id ${text} not null unique,
      sha256 ${text} not null,
      size ${int} not null,
      created_at ${int} not null,
      primary key (owner_id, object_id, longest_side)
    )${small}`);
  },
};
