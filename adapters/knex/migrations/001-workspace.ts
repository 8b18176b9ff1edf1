import { createSearchTables } from '../search/search-schema.ts';
import type { Migration } from './migration.ts';

/**
 * Rows are led by their owner. Times are epoch milliseconds, flags small integers, structures JSON as text, a missing
 * folder or theme '' where an index begins with it. Text is compared byte by byte on both databases.
 */
export const workspace: Migration = {
  version: 1,
  name: 'workspace',
  up: async (knex, { text, int, flag, small, large }) => {
    const run = (statement: string) => knex.raw(statement);

    await run(`create table tenants (
      id ${text} not null primary key,
      name ${text} not null unique,
      created_at ${int} not null
    )${small}`);
    await run(`create table owners (
      id ${text} not null primary key,
      tenant_id ${text} not null references tenants (id),
      name ${text} not null,
      role ${text} not null,
      created_at ${int} not null
    )${small}`);
    await run('create index owners_by_time on owners (created_at, id)');
    await run(`create table tokens (
      owner_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      prefix ${text} not null unique,
      digest ${text} not null,
      access ${text} not null,
      created_at ${int} not null,
      expires_at ${int},
      primary key (owner_id, id)
    )${small}`);
    await run('create index tokens_by_time on tokens (owner_id, created_at, id)');

    await run(`create table objects (
      owner_id ${text} not null,
      id ${text} not null,
      trashed ${flag} not null,
      is_hidden ${flag} not null,
      kind ${text} not null,
      doc_type ${text} not null,
      folder ${text} not null,
      text_state ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      deleted_at ${int},
      filename ${text} not null,
      original_name ${text} not null,
      ai_name ${text} not null,
      name_source ${text} not null,
      name_locked ${flag} not null,
      mime ${text} not null,
      format ${text} not null,
      size ${int} not null,
      content_hash ${text} not null,
      blob_id ${text} not null,
      version ${int} not null,
      status ${text} not null,
      error ${text},
      categories ${text} not null,
      title ${text} not null,
      summary ${text} not null,
      meeting_date ${int},
      suggested_name ${text},
      suggested_reason ${text},
      suggested_folder ${text},
      source_url ${text},
      has_corrections ${flag} not null,
      needs_manual ${flag} not null,
      primary key (owner_id, id)
    )${large}`);
    // Each begins with a state and one facet, goes on in list order, and ends with what else a list may ask of an entry.
    const order = (name: string, facet: string, rest: string) =>
      run(`create index ${name} on objects
        (owner_id, trashed, is_hidden, ${facet}created_at, id, ${rest})`);
    await order('objects_by_time', '', 'kind, text_state');
    await order('objects_by_kind', 'kind, ', 'text_state');
    await order('objects_by_doc_type', 'doc_type, ', 'kind');
    await order('objects_by_folder', 'folder, ', 'kind, doc_type');
    await run('create index objects_in_folder on objects (owner_id, folder, id)');
    await run(
      'create index objects_by_hash on objects (owner_id, content_hash, trashed, created_at, id)',
    );
    await run(
      'create index objects_in_trash on objects (deleted_at, id) where deleted_at is not null',
    );
    await run(`create table object_counts (
      owner_id ${text} not null,
      folder ${text} not null,
      trashed ${flag} not null,
      is_hidden ${flag} not null,
      kind ${text} not null,
      doc_type ${text} not null,
      text_state ${text} not null,
      n ${int} not null,
      primary key (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state)
    )${small}`);
    await run(`create table list_counts (
      owner_id ${text} not null,
      list ${text} not null,
      part ${text} not null,
      n ${int} not null,
      primary key (owner_id, list, part)
    )${small}`);

    await run(`create table versions (
      owner_id ${text} not null,
      object_id ${text} not null,
      version ${int} not null,
      kind ${text} not null,
      mime ${text} not null,
      format ${text} not null,
      size ${int} not null,
      sha256 ${text} not null,
      blob_id ${text} not null,
      origin ${text} not null,
      created_at ${int} not null,
      primary key (owner_id, object_id, version)
    )${small}`);
    await run(`create table contents (
      owner_id ${text} not null,
      sha256 ${text} not null,
      size ${int} not null,
      blob_id ${text} not null unique,
      refs ${int} not null,
      primary key (owner_id, sha256)
    )${small}`);
    await run(`create table owner_usage (
      owner_id ${text} not null primary key,
      bytes ${int} not null
    )${small}`);
    await run(`create table object_texts (
      owner_id ${text} not null,
      object_id ${text} not null,
      version ${int} not null,
      source ${text} not null,
      language ${text} not null,
      text ${text} not null,
      pages ${text} not null,
      primary key (owner_id, object_id)
    )${large}`);
    await run(`create table text_corrections (
      owner_id ${text} not null,
      object_id ${text} not null,
      text ${text} not null,
      saved_at ${int} not null,
      primary key (owner_id, object_id)
    )${large}`);

    await run(`create table themes (
      owner_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      name_fold ${text} not null,
      icon ${text} not null,
      is_hidden ${flag} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${small}`);
    await run('create index themes_by_name on themes (owner_id, name_fold, id)');
    await run(`create table collections (
      owner_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      name_fold ${text} not null,
      description ${text} not null,
      icon ${text} not null,
      theme ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
    await run(
      'create unique index collections_by_theme on collections (owner_id, theme, name_fold)',
    );
    await run('create index collections_by_name on collections (owner_id, name_fold, id)');

    await run(`create table zone_locks (
      owner_id ${text} not null primary key,
      pin_hash ${text} not null,
      failures ${int} not null,
      locked_until ${int}
    )${small}`);
    await run(`create table unlock_tokens (
      owner_id ${text} not null,
      digest ${text} not null,
      expires_at ${int} not null,
      primary key (owner_id, digest)
    )${small}`);

    await run(`create table chat_sessions (
      owner_id ${text} not null,
      id ${text} not null,
      title ${text} not null,
      kind ${text} not null,
      folder ${text} not null,
      pinned ${flag} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${small}`);
    const chats = (name: string, facet: string) =>
      run(`create index ${name} on chat_sessions (owner_id, ${facet}pinned, updated_at, id)`);
    await chats('chats_by_time', '');
    await chats('chats_by_kind', 'kind, ');
    await chats('chats_by_folder', 'folder, ');
    await run(`create table chat_messages (
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
    )${large}`);
    await run(
      `create index chat_questions on chat_messages (owner_id, created_at, id) where role = 'user'`,
    );

    await run(`create table tasks (
      owner_id ${text} not null,
      id ${text} not null,
      kind ${text} not null,
      subject ${text} not null,
      payload ${text} not null,
      state ${text} not null,
      attempts ${int} not null,
      due_at ${int} not null,
      lease_until ${int},
      open_at ${int},
      error ${text},
      created_at ${int} not null,
      primary key (owner_id, id)
    )${large}`);
    await run('create index tasks_by_id on tasks (id)');
    await run('create index tasks_by_subject on tasks (owner_id, subject)');
    await run('create index tasks_due on tasks (open_at, id) where open_at is not null');
    await run(`create table receipts (
      owner_id ${text} not null,
      receipt_key ${text} not null,
      fingerprint ${text} not null,
      answer ${text},
      kept_until ${int} not null,
      primary key (owner_id, receipt_key)
    )${large}`);
    await run('create index receipts_by_time on receipts (owner_id, kept_until)');

    await createSearchTables(knex);
  },
};
