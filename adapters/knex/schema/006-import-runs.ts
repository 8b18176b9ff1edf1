import type { Migration } from './migration.ts';

/** Progress and results of imports. */
export const importRuns: Migration = {
  version: 6,
  name: 'import runs',
  up: async (knex, { text, int, flag, heap }) => {
    await knex.raw(`create table import_runs (
      owner_id ${text} not null,
      id ${text} not null,
      request_key ${text} not null,
      kind ${text} not null,
      filename ${text} not null,
      state ${text} not null,
      is_concealed ${flag} not null,
      done ${int} not null,
      total ${int},
      report ${text},
      code ${text},
      lease_until ${int} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id),
      unique (owner_id, request_key)
    )${heap}`);
    await knex.raw('create index import_runs_by_age on import_runs (owner_id, created_at, id)');
  },
};
