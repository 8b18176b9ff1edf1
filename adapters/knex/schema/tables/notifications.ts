import type { DialectTypes } from '../migration.ts';

/** Notifications of an owner, with their counters and versions. */
export const notificationTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table notifications (
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
  )${heap}`,
  'create index notifications_by_time on notifications (owner_id, created_at, id)',
  `create index notifications_by_visibility on notifications
    (owner_id, is_hidden, created_at, id)`,
  `create index notifications_unread on notifications (owner_id, created_at, id)
    where read_at is null`,
  'create index notifications_of_object on notifications (owner_id, object_id)',
  // Counters and versions in one row, so that a poll reads one row.
  `create table notification_states (
    owner_id ${text} not null primary key,
    version ${int} not null,
    visible_version ${int} not null,
    visible_total ${int} not null,
    visible_unread ${int} not null,
    hidden_total ${int} not null,
    hidden_unread ${int} not null
  )${clustered}`,
];
