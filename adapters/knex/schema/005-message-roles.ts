import type { Migration } from './migration.ts';

/** The role of the agent of a message. Messages of before have none. */
export const messageRoles: Migration = {
  version: 5,
  name: 'message roles',
  up: async (knex, { text }) => {
    await knex.raw(`alter table chat_messages add column agent_role ${text}`);
  },
};
