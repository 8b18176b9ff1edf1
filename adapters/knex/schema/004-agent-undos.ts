import type { Migration } from './migration.ts';

/** What steps of the agent changed, for their undo. */
export const agentUndos: Migration = {
  version: 4,
  name: 'agent undos',
  up: async (knex, { text, int, heap }) => {
    await knex.raw(`create table agent_undos (
      owner_id ${text} not null,
      id ${text} not null,
      session_id ${text} not null,
      tool ${text} not null,
      effects ${text} not null,
      created_at ${int} not null,
      expires_at ${int},
      undone_at ${int},
      primary key (owner_id, id)
    )${heap}`);
    await knex.raw('create index agent_undos_of_session on agent_undos (owner_id, session_id)');
    // Steps that were undone never expire.
    await knex.raw(
      'create index agent_undos_by_expiry on agent_undos (expires_at, owner_id) where expires_at is not null',
    );
  },
};
