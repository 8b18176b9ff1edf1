import type { Migration } from './migration.ts';

/** How the updates of bots arrive, and why not by a webhook. Bots of before are what their webhook says. */
export const botReception: Migration = {
  version: 9,
  name: 'bot reception',
  up: async (knex, { text }) => {
    await knex.raw(
      `alter table bots add column reception_state ${text} not null default 'polling'`,
    );
    await knex.raw(`alter table bots add column reception_reason ${text} not null default ''`);
    await knex.raw(`alter table bots add column failed_webhook ${text}`);
    await knex.raw(`update bots set reception_state = 'webhook' where webhook is not null`);
  },
};
