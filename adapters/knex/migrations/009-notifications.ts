import type { Migration } from './migration.ts';

/** What an owner is told of, with counters and versions of it in one row, so that a poll reads one row. */
export const notifications: Migration = {
  version: 9,
  name: 'notifications',
  up: async (knex, { text, int, flag, small, large }) => {
    await knex.raw(`create table notifications (
      owner_id ${text} not null,
      id ${text} not null,
      kind ${text} not null,
      title ${text} not null,
      body ${text} not null,
      payload ${text} not null,
      object_id ${text} not null,
      is_hidden ${flag} not null,
      read_at ${int},
      created_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
    await knex.raw(`create index notifications_by_time on notifications
      (owner_id, created_at, id)`);
    await knex.raw(`create index notifications_by_sight on notifications
      (owner_id, is_hidden, created_at, id)`);
    await knex.raw(`create index notifications_unread on notifications
      (owner_id, created_at, id) where read_at is null`);
    await knex.raw(`create index notifications_of_object on notifications
      (owner_id, object_id)`);
    await knex.raw(`create table notification_states (
      owner_id ${text} not null primary key,
      version ${int} not null,
      visible_version ${int} not null,
      visible_total ${int} not null,
      visible_unread ${int} not null,
      hidden_total ${int} not null,
      hidden_unread ${int} not null
    )${small}`);
  },
};
