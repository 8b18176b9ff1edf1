import type { DialectTypes } from '../migration.ts';

/** Connections to other services, locations of blob copies, deletion holds, and storage migrations. */
export const storageTables = ({ text, int, flag, clustered }: DialectTypes) => [
  `create table integrations (
    owner_id ${text} not null,
    kind ${text} not null,
    config ${text} not null,
    sealed_secret ${text},
    secret_hint ${text} not null,
    enabled ${flag} not null,
    health ${text} not null,
    checked_at ${int} not null,
    last_error ${text} not null,
    updated_at ${int} not null,
    primary key (owner_id, kind)
  )${clustered}`,
  // Connections to removed buckets, until the last copy has been brought back.
  `create table retired_buckets (
    owner_id ${text} not null,
    id ${text} not null,
    config ${text} not null,
    sealed_secret ${text},
    primary key (owner_id, id)
  )${clustered}`,
  // A blob without a current copy is stored with the service under its own id.
  `create table blob_locations (
    owner_id ${text} not null,
    copy_id ${text} not null,
    blob_id ${text} not null,
    location ${text} not null,
    state ${text} not null,
    created_at ${int} not null,
    primary key (owner_id, copy_id)
  )${clustered}`,
  'create index blob_locations_of_blob on blob_locations (blob_id)',
  'create index blob_locations_by_copy on blob_locations (copy_id)',
  'create index blob_locations_by_location on blob_locations (owner_id, location)',
  `create unique index blob_locations_current on blob_locations (owner_id, blob_id)
    where state = 'current'`,
  `create index blob_locations_unfinished on blob_locations (owner_id, created_at, copy_id)
    where state <> 'current'`,
  `create table deletion_holds (
    id ${text} not null primary key,
    held_until ${int} not null
  )${clustered}`,
  // The latest run of each owner.
  `create table storage_migrations (
    owner_id ${text} not null primary key,
    id ${text} not null,
    direction ${text} not null,
    status ${text} not null,
    cancel_requested ${flag} not null,
    error ${text} not null,
    started_at ${int} not null,
    finished_at ${int}
  )${clustered}`,
  `create table storage_migration_failures (
    owner_id ${text} not null,
    blob_id ${text} not null,
    attempts ${int} not null,
    is_final ${flag} not null,
    reason ${text} not null,
    primary key (owner_id, blob_id)
  )${clustered}`,
];
