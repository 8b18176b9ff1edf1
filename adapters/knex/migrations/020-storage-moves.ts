import type { Migration } from './migration.ts';

/** Runs that move an owner's bytes from one place to the other, the latest of each owner, and what they could not move. */
export const storageMoves: Migration = {
  version: 20,
  name: 'storage moves',
  up: async (knex, { text, int, flag, small }) => {
    await knex.raw(`create table storage_moves (
      owner_id ${text} not null primary key,
      id ${text} not null,
      direction ${text} not null,
      status ${text} not null,
      stopping ${flag} not null,
      error ${text} not null,
      started_at ${int} not null,
      finished_at ${int}
    )${small}`);
    await knex.raw(`create table move_failures (
      owner_id ${text} not null,
      blob_id ${text} not null,
      tries ${int} not null,
      final ${flag} not null,
      reason ${text} not null,
      primary key (owner_id, blob_id)
    )${small}`);
    await knex.raw(
      "create index placements_unsettled on placements (owner_id, created_at, stored_as) where state <> 'here'",
    );
  },
};
