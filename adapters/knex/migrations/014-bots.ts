import type { Migration } from './migration.ts';

/**
 * Bots, and the registry of their groups. Numbers of a platform have 64 bits, which no number of ours holds: they are
 * kept as texts that sort as they do.
 */
export const bots: Migration = {
  version: 14,
  name: 'bots',
  up: async (knex, { text, int, flag, small, large }) => {
    await knex.raw(`create table bots (
      owner_id ${text} not null,
      id ${text} not null,
      platform ${text} not null,
      account_id ${text} not null,
      username ${text} not null,
      name ${text} not null,
      sealed_token ${text} not null,
      link_code ${text} not null,
      owner_chat_id ${text},
      webhook ${text},
      cursor_after ${text},
      cursor_at ${int},
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
    await knex.raw('create unique index bots_by_account on bots (platform, account_id)');
    await knex.raw('create unique index bots_by_id on bots (id)');
    await knex.raw(`create table bot_chats (
      owner_id ${text} not null,
      bot_id ${text} not null,
      chat_id ${text} not null,
      title ${text} not null,
      description ${text} not null,
      collection_id ${text} not null,
      note_object_id ${text} not null,
      member_count ${int} not null,
      known_count ${int} not null,
      proactive_allowed ${flag} not null,
      last_seen_at ${int},
      synced_at ${int},
      sync_due_at ${int} not null,
      here ${flag} not null,
      here_by ${text},
      title_by ${text},
      touched_at ${int} not null,
      revision ${int} not null,
      primary key (owner_id, bot_id, chat_id)
    )${small}`);
    await knex.raw(
      'create index bot_chats_due on bot_chats (owner_id, bot_id, sync_due_at, chat_id) where here = 1',
    );
    await knex.raw(
      'create index bot_chats_gone on bot_chats (owner_id, bot_id, touched_at) where here = 0',
    );
    await knex.raw(`create table bot_members (
      owner_id ${text} not null,
      bot_id ${text} not null,
      chat_id ${text} not null,
      user_id ${text} not null,
      display_name ${text} not null,
      username ${text} not null,
      role ${text} not null,
      source ${text} not null,
      last_seen_at ${int},
      here ${flag} not null,
      here_by ${text},
      role_by ${text},
      touched_at ${int} not null,
      primary key (owner_id, bot_id, chat_id, user_id)
    )${small}`);
    await knex.raw(
      'create index bot_members_gone on bot_members (owner_id, bot_id, touched_at) where here = 0',
    );
    await knex.raw(`create table bot_moves (
      owner_id ${text} not null,
      bot_id ${text} not null,
      from_id ${text} not null,
      to_id ${text} not null,
      primary key (owner_id, bot_id, from_id)
    )${small}`);
    await knex.raw('create index bot_moves_by_target on bot_moves (owner_id, bot_id, to_id)');
    await knex.raw(`create table bot_updates (
      owner_id ${text} not null,
      bot_id ${text} not null,
      update_id ${text} not null,
      taken_at ${int} not null,
      primary key (owner_id, bot_id, update_id)
    )${small}`);
    await knex.raw('create index bot_updates_by_time on bot_updates (owner_id, bot_id, taken_at)');
  },
};
