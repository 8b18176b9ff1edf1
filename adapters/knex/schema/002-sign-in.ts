import type { Migration } from './migration.ts';

/** Sessions, ways to sign in, scopes of tokens, and the log of security events. */
export const signIn: Migration = {
  version: 2,
  name: 'sign-in',
  up: async (knex, { text, int, flag, clustered, heap }) => {
    const statements = [
      `alter table tokens add column scopes ${text}`,
      `alter table tokens add column folder_ids ${text}`,
      `alter table tokens add column last_used_at ${int}`,
      `alter table tokens add column last_used_network ${text}`,
      `alter table chat_sessions add column bound_to ${text}`,
      `create index bound_chats on chat_sessions (owner_id, pinned, updated_at, id)
        where bound_to is not null`,
      `create table sessions (
        owner_id ${text} not null,
        id ${text} not null,
        digest ${text} not null unique,
        method ${text} not null,
        created_at ${int} not null,
        signed_in_at ${int} not null,
        last_used_at ${int} not null,
        expires_at ${int} not null,
        network ${text} not null,
        client ${text} not null,
        primary key (owner_id, id)
      )${clustered}`,
      'create index sessions_by_use on sessions (owner_id, last_used_at, id)',
      'create index sessions_by_expiry on sessions (expires_at, owner_id)',
      'create index sessions_by_last_use on sessions (last_used_at, owner_id)',
      `create table known_clients (
        owner_id ${text} not null,
        network ${text} not null,
        client ${text} not null,
        seen_at ${int} not null,
        primary key (owner_id, network, client)
      )${clustered}`,
      `create table passwords (
        owner_id ${text} not null primary key,
        folded_name ${text} not null,
        sealed_hash ${text} not null,
        set_at ${int} not null
      )${clustered}`,
      'create index passwords_by_name on passwords (folded_name, set_at, owner_id)',
      `create table passkeys (
        owner_id ${text} not null,
        id ${text} not null,
        credential_id ${text} not null unique,
        public_key ${text} not null,
        counter ${int} not null,
        transports ${text} not null,
        is_backup_eligible ${flag} not null,
        is_backed_up ${flag} not null,
        name ${text} not null,
        created_at ${int} not null,
        last_used_at ${int},
        primary key (owner_id, id)
      )${heap}`,
      `create table oidc_links (
        owner_id ${text} not null primary key,
        issuer ${text} not null,
        subject ${text} not null,
        linked_at ${int} not null,
        unique (issuer, subject)
      )${clustered}`,
      `create table one_time_secrets (
        digest ${text} not null primary key,
        purpose ${text} not null,
        owner_id ${text},
        payload ${text} not null,
        expires_at ${int} not null
      )${heap}`,
      'create index one_time_secrets_by_expiry on one_time_secrets (purpose, expires_at, digest)',
      'create index one_time_secrets_of_owner on one_time_secrets (owner_id, purpose)',
      `create table sign_in_attempts (
        account ${text} not null,
        network ${text} not null,
        attempt_times ${text} not null,
        reserved_at ${int},
        expires_at ${int} not null,
        primary key (account, network)
      )${clustered}`,
      'create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at)',
      `create table security_events (
        owner_id ${text} not null,
        seq ${int} not null,
        id ${text} not null,
        at ${int} not null,
        kind ${text} not null,
        actor_kind ${text} not null,
        actor_id ${text} not null,
        actor_name ${text} not null,
        network ${text} not null,
        subject ${text} not null,
        detail ${text} not null,
        object_id ${text},
        previous_digest ${text} not null,
        digest ${text} not null,
        primary key (owner_id, seq)
      )${heap}`,
      'create index security_events_by_kind on security_events (owner_id, kind, seq)',
      'create index security_events_by_time on security_events (at, owner_id)',
    ];
    for (const statement of statements) await knex.raw(statement);
  },
};
