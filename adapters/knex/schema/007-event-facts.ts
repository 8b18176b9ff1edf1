import type { Migration } from './migration.ts';

/** What the sentences of security events say, for programs. Earlier events have none. */
export const eventFacts: Migration = {
  version: 7,
  name: 'event facts',
  up: async (knex, { text }) => {
    await knex.raw(`alter table security_events add column facts ${text}`);
  },
};
