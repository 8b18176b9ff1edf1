import type { DialectTypes } from '../migration.ts';

/**
 * Bots, and the registry of their groups and members. A platform's ids have 64 bits, more than a JavaScript number holds:
 * they are stored as texts that sort like the numbers. `…_update_id` names the update that last set a column.
 */
export const botTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table bots (
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
    update_offset ${text},
    update_offset_at ${int},
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${heap}`,
  'create unique index bots_by_account on bots (platform, account_id)',
  'create unique index bots_by_id on bots (id)',
  `create table bot_chats (
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
    is_present ${flag} not null,
    presence_update_id ${text},
    title_update_id ${text},
    last_update_at ${int} not null,
    revision ${int} not null,
    primary key (owner_id, bot_id, chat_id)
  )${clustered}`,
  `create index bot_chats_due on bot_chats (owner_id, bot_id, sync_due_at, chat_id)
    where is_present = 1`,
  `create index bot_chats_absent on bot_chats (owner_id, bot_id, last_update_at)
    where is_present = 0`,
  `create table bot_members (
    owner_id ${text} not null,
    bot_id ${text} not null,
    chat_id ${text} not null,
    user_id ${text} not null,
    display_name ${text} not null,
    username ${text} not null,
    role ${text} not null,
    source ${text} not null,
    last_seen_at ${int},
    is_present ${flag} not null,
    presence_update_id ${text},
    role_update_id ${text},
    last_update_at ${int} not null,
    primary key (owner_id, bot_id, chat_id, user_id)
  )${clustered}`,
  `create index bot_members_absent on bot_members (owner_id, bot_id, last_update_at)
    where is_present = 0`,
  `create table bot_chat_migrations (
    owner_id ${text} not null,
    bot_id ${text} not null,
    from_chat_id ${text} not null,
    to_chat_id ${text} not null,
    primary key (owner_id, bot_id, from_chat_id)
  )${clustered}`,
  `create index bot_chat_migrations_by_target on bot_chat_migrations
    (owner_id, bot_id, to_chat_id)`,
  `create table bot_updates (
    owner_id ${text} not null,
    bot_id ${text} not null,
    update_id ${text} not null,
    received_at ${int} not null,
    primary key (owner_id, bot_id, update_id)
  )${clustered}`,
  'create index bot_updates_by_time on bot_updates (owner_id, bot_id, received_at)',
];
