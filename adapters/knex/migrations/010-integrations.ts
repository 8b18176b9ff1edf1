import type { Migration } from './migration.ts';

/** What an owner has connected: settings as they are, the secret sealed. */
export const integrations: Migration = {
  version: 10,
  name: 'integrations',
  up: async (knex, { text, int, flag, small }) => {
    await knex.raw(`create table integrations (
      owner_id ${text} not null,
      kind ${text} not null,
      config ${text} not null,
      sealed_secret ${text},
      secret_hint ${text} not null,
      enabled ${flag} not null,
      health ${text} not null,
      checked_at ${int} not null,
      last_error ${text} not null,
      updated_at ${int} not null,
      primary key (owner_id, kind)
    )${small}`);
  },
};
