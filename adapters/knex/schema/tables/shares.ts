import type { DialectTypes } from '../migration.ts';

/** Links to folders and files, the access their visitors hold, and password attempts. */
export const shareTables = ({ text, int, clustered, heap }: DialectTypes) => [
  `create table shares (
    owner_id ${text} not null,
    id ${text} not null,
    kind ${text} not null,
    resource_id ${text} not null,
    role ${text} not null,
    name ${text} not null,
    prefix ${text} not null,
    digest ${text} not null,
    password_hash ${text},
    expires_at ${int},
    access_count ${int} not null,
    upload_count ${int} not null,
    uploaded_bytes ${int} not null default 0,
    max_upload_bytes ${int} not null default 1073741824,
    max_upload_files ${int} not null default 500,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${heap}`,
  'create unique index shares_by_digest on shares (digest)',
  'create index shares_by_time on shares (owner_id, created_at, id)',
  'create index shares_by_resource on shares (owner_id, resource_id)',
  `create table share_accesses (
    owner_id ${text} not null,
    share_id ${text} not null,
    digest ${text} not null,
    expires_at ${int} not null,
    primary key (owner_id, share_id, digest)
  )${clustered}`,
  'create index share_accesses_by_expiry on share_accesses (owner_id, expires_at)',
  `create table share_password_attempts (
    owner_id ${text} not null,
    share_id ${text} not null,
    visitor ${text} not null,
    attempt_times ${text} not null,
    reserved_at ${int},
    expires_at ${int} not null,
    primary key (owner_id, share_id, visitor)
  )${clustered}`,
  `create index share_password_attempts_by_expiry on share_password_attempts
    (owner_id, expires_at)`,
];
