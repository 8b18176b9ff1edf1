import type { Migration } from './migration.ts';

/** Why an answer was broken off. null for answers of before. */
export const incompleteReasons: Migration = {
  version: 10,
  name: 'incomplete reasons',
  up: async (knex, { text }) => {
    await knex.raw(`alter table chat_messages add column incomplete_reason ${text}`);
  },
};
