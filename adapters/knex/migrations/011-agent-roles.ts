import type { Migration } from './migration.ts';

/** What an owner has the agent be: roles by their slug, and the slug of the active one, which may be a built-in role's. */
export const agentRoles: Migration = {
  version: 11,
  name: 'agent roles',
  up: async (knex, { text, int, small, large }) => {
    await knex.raw(`create table agent_roles (
      owner_id ${text} not null,
      slug ${text} not null,
      id ${text} not null,
      name ${text} not null,
      description ${text} not null,
      icon ${text} not null,
      persona ${text} not null,
      toolsets ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, slug)
    )${large}`);
    await knex.raw('create unique index agent_roles_by_id on agent_roles (owner_id, id)');
    await knex.raw('create index agent_roles_by_time on agent_roles (owner_id, created_at, id)');
    await knex.raw(`create table active_agent_roles (
      owner_id ${text} not null primary key,
      slug ${text} not null
    )${small}`);
  },
};
