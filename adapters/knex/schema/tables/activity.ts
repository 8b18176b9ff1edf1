import type { DialectTypes } from '../migration.ts';

/** Background tasks, image operations and office sessions. */
export const activityTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  // `claimable_at` is `due_at` of a waiting task, `lease_until` of a running one, and null of a failed one.
  `create table tasks (
    owner_id ${text} not null,
    id ${text} not null,
    kind ${text} not null,
    subject ${text} not null,
    payload ${text} not null,
    state ${text} not null,
    attempts ${int} not null,
    due_at ${int} not null,
    lease_until ${int},
    claimable_at ${int},
    error ${text},
    created_at ${int} not null,
    primary key (owner_id, id)
  )${heap}`,
  'create index tasks_by_id on tasks (id)',
  'create index tasks_by_subject on tasks (owner_id, subject)',
  'create index tasks_due on tasks (claimable_at, id) where claimable_at is not null',
  `create table image_operations (
    owner_id ${text} not null,
    id ${text} not null,
    ord ${int} not null,
    object_id ${text} not null,
    operation ${text} not null,
    state ${text} not null,
    ended ${flag} not null,
    error ${text},
    version ${int},
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${clustered}`,
  'create index image_operations_in_order on image_operations (owner_id, ended, ord)',
  `create index image_operations_of_object on image_operations
    (owner_id, object_id, ended, ord)`,
  `create table office_sessions (
    owner_id ${text} not null,
    object_id ${text} not null,
    document_key ${text} not null,
    opened_version ${int} not null,
    version ${int} not null,
    state ${text} not null,
    editable ${flag} not null,
    processed_saves ${text} not null,
    notified_issues ${text} not null,
    created_at ${int} not null,
    used_at ${int} not null,
    primary key (owner_id, object_id, document_key)
  )${heap}`,
  'create index office_sessions_by_use on office_sessions (owner_id, used_at)',
];
