import type { Migration } from './migration.ts';

/** What the pages of links told of themselves. */
export const links: Migration = {
  version: 4,
  name: 'links',
  up: async (knex, { text, int, large }) => {
    await knex.raw(`create table link_previews (
      owner_id ${text} not null,
      object_id ${text} not null,
      final_url ${text} not null,
      title ${text} not null,
      site_name ${text} not null,
      description ${text} not null,
      image_sha256 ${text},
      image_blob_id ${text},
      image_size ${int},
      image_mime ${text},
      fetched_at ${int} not null,
      primary key (owner_id, object_id)
    )${large}`);
  },
};
