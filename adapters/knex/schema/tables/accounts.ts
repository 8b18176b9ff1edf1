import type { DialectTypes } from '../migration.ts';

/** Tenants, owners, their bearer tokens and settings, and the lock of the hidden zone. */
export const accountTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table tenants (
    id ${text} not null primary key,
    name ${text} not null unique,
    created_at ${int} not null
  )${clustered}`,
  `create table owners (
    id ${text} not null primary key,
    tenant_id ${text} not null references tenants (id),
    name ${text} not null,
    role ${text} not null,
    created_at ${int} not null
  )${clustered}`,
  'create index owners_by_time on owners (created_at, id)',
  `create table tokens (
    owner_id ${text} not null,
    id ${text} not null,
    name ${text} not null,
    prefix ${text} not null unique,
    digest ${text} not null,
    access ${text} not null,
    created_at ${int} not null,
    expires_at ${int},
    primary key (owner_id, id)
  )${clustered}`,
  'create index tokens_by_time on tokens (owner_id, created_at, id)',
  `create table settings (
    owner_id ${text} not null primary key,
    auto_rename_mode ${text} not null,
    calendar_reminders_messenger ${flag} not null,
    chat_memory ${flag} not null,
    proactive ${flag} not null,
    timezone ${text} not null,
    ui ${text} not null,
    prefs ${text} not null
  )${heap}`,
  `create table pin_locks (
    owner_id ${text} not null primary key,
    pin_hash ${text} not null,
    failures ${int} not null,
    locked_until ${int}
  )${clustered}`,
  `create table unlock_tokens (
    owner_id ${text} not null,
    digest ${text} not null,
    expires_at ${int} not null,
    primary key (owner_id, digest)
  )${clustered}`,
  // Sorted by owner for the sweep of one owner, by time for the sweep of all owners.
  `create table idempotency_records (
    owner_id ${text} not null,
    record_key ${text} not null,
    fingerprint ${text} not null,
    response ${text},
    expires_at ${int} not null,
    primary key (owner_id, record_key)
  )${heap}`,
  `create index idempotency_records_by_owner on idempotency_records (owner_id, expires_at)`,
  `create index idempotency_records_by_expiry on idempotency_records (expires_at, owner_id)`,
];
