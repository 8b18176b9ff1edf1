import type { Migration } from './migration.ts';

/**
 * Upload quotas of shares, the bytes uploaded, and reserved tries of a password. The bytes of earlier uploads are unknown.
 * The number of earlier files is added to the quota of files, so that no share is suddenly over it.
 */
export const shareLimits: Migration = {
  version: 22,
  name: 'share limits',
  up: async (knex, { int }) => {
    await knex.raw(`alter table shares add column uploaded_bytes ${int} not null default 0`);
    await knex.raw(
      `alter table shares add column max_upload_bytes ${int} not null default 1073741824`,
    );
    await knex.raw(`alter table shares add column max_upload_files ${int} not null default 500`);
    await knex.raw('update shares set max_upload_files = 500 + upload_count');
    await knex.raw(`alter table share_tries add column reserved_at ${int}`);
  },
};
