import type { Migration } from './migration.ts';

/** Documents that are, or were, open in the office editor. */
export const officeSessions: Migration = {
  version: 16,
  name: 'office-sessions',
  up: async (knex, { text, int, flag, large }) => {
    await knex.raw(`create table office_sessions (
      owner_id ${text} not null,
      object_id ${text} not null,
      document_key ${text} not null,
      opened_version ${int} not null,
      version ${int} not null,
      state ${text} not null,
      editable ${flag} not null,
      handled ${text} not null,
      told ${text} not null,
      created_at ${int} not null,
      used_at ${int} not null,
      primary key (owner_id, object_id, document_key)
    )${large}`);
    await knex.raw('create index office_sessions_by_use on office_sessions (owner_id, used_at)');
  },
};
