import type { Migration } from './migration.ts';

/** Whether an import wrote the role of an agent. Roles of before count as the owner's. */
export const roleOrigins: Migration = {
  version: 8,
  name: 'role origins',
  up: async (knex, { flag }) => {
    await knex.raw(`alter table agent_roles add column is_imported ${flag} not null default 0`);
  },
};
