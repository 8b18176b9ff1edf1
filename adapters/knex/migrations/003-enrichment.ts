import type { Migration } from './migration.ts';

/** What is made out of texts, and the settings that say what to do with it. */
export const enrichment: Migration = {
  version: 3,
  name: 'enrichment',
  up: async (knex, { text, int, flag, large }) => {
    await knex.raw(`create table enrichments (
      owner_id ${text} not null,
      object_id ${text} not null,
      version ${int} not null,
      model ${text} not null,
      language ${text} not null,
      title ${text} not null,
      description ${text} not null,
      summary ${text} not null,
      doc_type ${text} not null,
      keywords ${text} not null,
      entities ${text} not null,
      primary key (owner_id, object_id)
    )${large}`);
    await knex.raw(`create table settings (
      owner_id ${text} not null primary key,
      auto_rename_mode ${text} not null,
      calendar_reminders_messenger ${flag} not null,
      chat_memory ${flag} not null,
      proactive ${flag} not null,
      timezone ${text} not null,
      ui ${text} not null,
      prefs ${text} not null
    )${large}`);
  },
};
