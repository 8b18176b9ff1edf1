import type { Migration } from './migration.ts';

/** Links to folders and files, what their visitors hold once they have told a password, and the passwords they tried. */
export const shares: Migration = {
  version: 13,
  name: 'shares',
  up: async (knex, { text, int, small, large }) => {
    await knex.raw(`create table shares (
      owner_id ${text} not null,
      id ${text} not null,
      kind ${text} not null,
      resource_id ${text} not null,
      role ${text} not null,
      name ${text} not null,
      prefix ${text} not null,
      digest ${text} not null,
      password_hash ${text},
      expires_at ${int},
      access_count ${int} not null,
      upload_count ${int} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
    await knex.raw('create unique index shares_by_digest on shares (digest)');
    await knex.raw('create index shares_by_time on shares (owner_id, created_at, id)');
    await knex.raw('create index shares_by_resource on shares (owner_id, resource_id)');
    await knex.raw(`create table share_accesses (
      owner_id ${text} not null,
      share_id ${text} not null,
      digest ${text} not null,
      expires_at ${int} not null,
      primary key (owner_id, share_id, digest)
    )${small}`);
    await knex.raw('create index share_accesses_by_end on share_accesses (owner_id, expires_at)');
    await knex.raw(`create table share_tries (
      owner_id ${text} not null,
      share_id ${text} not null,
      visitor ${text} not null,
      moments ${text} not null,
      forgotten_at ${int} not null,
      primary key (owner_id, share_id, visitor)
    )${small}`);
    await knex.raw('create index share_tries_by_end on share_tries (owner_id, forgotten_at)');
  },
};
