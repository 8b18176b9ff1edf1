import type { Migration } from './migration.ts';

/** A correction may be in another language than what was read. Earlier ones were taken for the same: '' says unknown. */
export const correctionLanguage: Migration = {
  version: 2,
  name: 'correction-language',
  up: async (knex, { text }) => {
    await knex.raw(`alter table text_corrections add column language ${text} not null default ''`);
  },
};
