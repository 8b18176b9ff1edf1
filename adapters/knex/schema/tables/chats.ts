import type { DialectTypes } from '../migration.ts';

/** Chat sessions with their messages, roles of the agent, and tool calls that wait for confirmation. */
export const chatTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table chat_sessions (
    owner_id ${text} not null,
    id ${text} not null,
    title ${text} not null,
    kind ${text} not null,
    folder ${text} not null,
    pinned ${flag} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    has_document_text ${flag} not null default 1,
    primary key (owner_id, id)
  )${clustered}`,
  'create index chats_by_time on chat_sessions (owner_id, pinned, updated_at, id)',
  'create index chats_by_kind on chat_sessions (owner_id, kind, pinned, updated_at, id)',
  'create index chats_by_folder on chat_sessions (owner_id, folder, pinned, updated_at, id)',
  `create table chat_messages (
    owner_id ${text} not null,
    session_id ${text} not null,
    seq ${int} not null,
    id ${text} not null,
    role ${text} not null,
    content ${text} not null,
    created_at ${int} not null,
    attachments ${text} not null,
    citations ${text} not null,
    objects ${text},
    steps ${text},
    primary key (owner_id, session_id, seq)
  )${heap}`,
  `create index chat_questions on chat_messages (owner_id, created_at, id) where role = 'user'`,
  `create table agent_roles (
    owner_id ${text} not null,
    slug ${text} not null,
    id ${text} not null,
    name ${text} not null,
    description ${text} not null,
    icon ${text} not null,
    persona ${text} not null,
    toolsets ${text} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, slug)
  )${heap}`,
  'create unique index agent_roles_by_id on agent_roles (owner_id, id)',
  'create index agent_roles_by_time on agent_roles (owner_id, created_at, id)',
  // The slug may be that of a built-in role, which has no row.
  `create table active_agent_roles (
    owner_id ${text} not null primary key,
    slug ${text} not null
  )${clustered}`,
  `create table agent_confirmations (
    owner_id ${text} not null,
    id ${text} not null,
    session_id ${text} not null,
    run ${text} not null,
    created_at ${int} not null,
    expires_at ${int} not null,
    primary key (owner_id, id)
  )${heap}`,
];
