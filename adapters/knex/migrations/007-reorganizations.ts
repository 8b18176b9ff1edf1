import type { Migration } from './migration.ts';

/** Runs that put objects into folders, what they plan, and whether the folder suggested for an object was answered. */
export const reorganizations: Migration = {
  version: 7,
  name: 'reorganizations',
  up: async (knex, { text, int, flag, small, large }) => {
    await knex.raw(`create table reorganizations (
      owner_id ${text} not null,
      id ${text} not null,
      scope ${text} not null,
      dry_run ${flag} not null,
      state ${text} not null,
      phase ${text} not null,
      planned ${flag} not null,
      total ${int} not null,
      processed ${int} not null,
      moved ${int} not null,
      skipped ${int} not null,
      created_folders ${int} not null,
      created_themes ${int} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${small}`);
    await knex.raw(`create table reorganization_places (
      owner_id ${text} not null,
      run_id ${text} not null,
      id ${text} not null,
      kind ${text} not null,
      name ${text} not null,
      description ${text} not null,
      icon ${text} not null,
      theme ${text} not null,
      made_as ${text} not null,
      primary key (owner_id, run_id, id)
    )${large}`);
    await knex.raw(`create table reorganization_moves (
      owner_id ${text} not null,
      run_id ${text} not null,
      object_id ${text} not null,
      ord ${int} not null,
      from_folder ${text} not null,
      to_folder ${text} not null,
      state ${text} not null,
      undone ${flag} not null,
      primary key (owner_id, run_id, object_id)
    )${small}`);
    await knex.raw(`create index reorganization_moves_in_order on reorganization_moves
      (owner_id, run_id, state, ord)`);
    await knex.raw(`create index reorganization_moves_of_object on reorganization_moves
      (owner_id, object_id)`);
    await knex.raw(`alter table objects add column folder_answered ${flag} not null default 0`);
  },
};
