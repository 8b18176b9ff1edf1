import type { Migration } from './migration.ts';

/** Who copies blobs at the moment, and until when none may be removed. */
export const blobHolds: Migration = {
  version: 18,
  name: 'blob-holds',
  up: async (knex, { text, int, small }) => {
    await knex.raw(`create table blob_holds (
      id ${text} not null primary key,
      held_until ${int} not null
    )${small}`);
  },
};
