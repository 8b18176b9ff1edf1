import type { Migration } from './migration.ts';

/**
 * Two facets of a list together, each pair in list order: with the index of one facet alone, a page of few among many is
 * looked for through all of the many.
 */
export const objectPairs: Migration = {
  version: 19,
  name: 'object-pairs',
  up: async (knex) => {
    const order = (name: string, facets: string, rest: string) =>
      knex.raw(`create index ${name} on objects
        (owner_id, trashed, is_hidden, ${facets}, created_at, id${rest})`);
    await order('objects_by_kind_and_type', 'kind, doc_type', '');
    await order('objects_by_folder_and_kind', 'folder, kind', ', doc_type');
    await order('objects_by_folder_and_type', 'folder, doc_type', ', kind');
  },
};
