import type { Migration } from './migration.ts';

/**
 * Tool calls of the agent that wait for the owner, and whether the answers of a session may hold text of documents. Of
 * sessions that are there already this is not known, so they count as if they did.
 */
export const agentConfirmations: Migration = {
  version: 23,
  name: 'agent-confirmations',
  up: async (knex, { text, int, flag, large }) => {
    await knex.raw(
      `alter table chat_sessions add column has_document_text ${flag} not null default 1`,
    );
    await knex.raw(`create table agent_confirmations (
      owner_id ${text} not null,
      id ${text} not null,
      session_id ${text} not null,
      run ${text} not null,
      created_at ${int} not null,
      expires_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
  },
};
