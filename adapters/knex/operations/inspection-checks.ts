import { BUILT_IN_SLUGS } from '../../../ports/agent-roles.ts';
import type { RowCheck } from '../../../ports/integrity.ts';
import { titleRowNumber } from '../../../ports/search.ts';
import type { Sql } from '../sql.ts';

/**
 * `query` returns, as `what`, each row of one owner that is not as it must be; every `?` is the owner's id. With
 * `numbers` it looks at the numbers of the search index from the first `?` up to the second, whoever owns them.
 */
export interface Check {
  readonly each: 'owner' | 'numbers';
  readonly query: string;
}

const ofOwner = (query: string): Check => ({ each: 'owner', query });

/** Rows that name something of their owner's which is not there; '' names nothing. */
const left = (table: string, what: string, column: string, target: string, also = ''): Check =>
  ofOwner(`select ${what} as what from ${table} t where t.owner_id = ? and t.${column} <> ''${also}
    and not exists (select 1 from ${target} o where o.owner_id = t.owner_id and o.id = t.${column})`);

/** Rows beside an object, which go with it. */
const beside = (table: string): Check => left(table, 't.object_id', 'object_id', 'objects');

/** Tasks that work on bots. */
const BOT_TASKS = ["'bot.updates'", "'bot.sync'", "'bot.remind'"];

/** Tasks work on objects, but for those of these kinds. */
const OTHER_TASKS = [
  "'blob.remove'",
  "'storage.migrate'",
  "'objects.reorganize'",
  "'objects.bulk'",
  "'credit-referral'",
  ...BOT_TASKS,
];

/** Each row that has the hash holds one reference to the owner's content of it; null holds none. */
const REFERENCES: readonly (readonly [table: string, sha256: string])[] = [
  ['versions', 'sha256'],
  ['link_previews', 'image_sha256'],
  ['upload_parts', 'sha256'],
];

/** Rows whose bytes lie in the store: the columns of the id, the hash and the size, the latter null where not kept. */
export const BLOB_REFERENCES: readonly (readonly [
  table: string,
  blobId: string,
  sha256: string,
  size: string,
])[] = [
  ['contents', 'blob_id', 'sha256', 'size'],
  ['thumbnails', 'blob_id', 'sha256', 'size'],
];

/** What `list_counts` counts: for each list its table and the parts a row counts in. */
const LISTS: readonly (readonly [list: string, table: string, parts: readonly string[]])[] = [
  ['versions', 'versions', ['object_id']],
  ['collections', 'collections', ["'*'", 'theme']],
  ['themes', 'themes', ["case is_hidden when 1 then 'hidden' else 'visible' end"]],
  ['tokens', 'tokens', ["'*'"]],
  ['agent_roles', 'agent_roles', ["'*'"]],
  [
    'chats',
    'chat_sessions',
    ["'*/' || kind || '/' || pinned", "folder || '/' || kind || '/' || pinned"].map(
      (part) => `${part} || case is_hidden when 1 then '/hidden' else '' end`,
    ),
  ],
];

const BUILT_IN = BUILT_IN_SLUGS.map((slug) => `'${slug}'`).join(', ');

/** The counters beside the notifications of an owner. */
const NOTIFICATION_COUNTS = ['visible_total', 'visible_unread', 'hidden_total', 'hidden_unread'];

const all = (parts: readonly string[]): string => parts.join(' union all ');

/** Counters that differ from a recount: what is counted goes against what was, and nothing may be left. */
const drift = (columns: string, counted: string, recounted: readonly string[], what: string) =>
  ofOwner(`select ${what} as what from (${all([counted, ...recounted])}) c
    group by ${columns} having sum(n) <> 0`);

const refs = REFERENCES.map(
  ([table, sha256]) =>
    `select ${sha256}, -1 from ${table} where owner_id = ? and ${sha256} is not null`,
);

const objectCounts = ['*', ''].flatMap((place) =>
  ['kind, doc_type, text_state, status, suggested', "'*', '*', '*', '*', 0"].map(
    (facets) =>
      `select ${place === '*' ? "'*'" : 'folder'}, trashed, is_hidden, ${facets}, -1
       from objects where owner_id = ?`,
  ),
);

const lists = LISTS.flatMap(([list, table, parts]) =>
  parts.map((part) => `select '${list}', ${part}, -1 from ${table} where owner_id = ?`),
);

const OWN = 'owner_no in (select owner_no from search_owners where owner_id = ?)';
const PER_OBJECT = titleRowNumber(1);
const entryOf = (number: string): string => `${number} / ${PER_OBJECT}`;

/** Where the numbers are that the index proper holds: FTS5 keeps a row of sizes for each. */
export const indexedRows = ({ dialect }: Pick<Sql, 'dialect'>): string =>
  dialect === 'sqlite'
    ? '(select id as number from search_terms_docsize)'
    : '(select number from search_terms)';

/** Every passage and head of an entry that may be found is in the index, and nothing else is. */
const searchTerms = (sql: Pick<Sql, 'dialect'>): Check => ({
  each: 'numbers',
  query: `select p.number as what from search_passages p
      join search_entries e on e.number = ${entryOf('p.number')} and e.zone <> 'excluded'
      where p.number >= ?1 and p.number < ?2
        and not exists (select 1 from ${indexedRows(sql)} t where t.number = p.number)
    union all select t.number as what from ${indexedRows(sql)} t
      where t.number >= ?1 and t.number < ?2 and not exists (select 1 from search_passages p
        join search_entries e on e.number = ${entryOf('p.number')} and e.zone <> 'excluded'
        where p.number = t.number)`.replaceAll(/\?\d/g, '?'),
});

/** Rows that need another row which is not there. */
const MISSING_ROWS = {
  versions_without_object: left(
    'versions',
    "t.object_id || '/' || t.version",
    'object_id',
    'objects',
  ),
  texts_without_object: beside('object_texts'),
  corrections_without_object: beside('text_corrections'),
  enrichments_without_object: beside('enrichments'),
  previews_without_object: beside('link_previews'),
  thumbnails_without_object: beside('thumbnails'),
  moves_without_object: beside('reorganization_moves'),
  image_operations_without_object: left('image_operations', 't.id', 'object_id', 'objects'),
  notifications_without_object: left('notifications', 't.id', 'object_id', 'objects'),
  tasks_without_object: left(
    'tasks',
    't.id',
    'subject',
    'objects',
    ` and t.kind not in (${OTHER_TASKS.join(', ')})`,
  ),
  tasks_without_reorganization: left(
    'tasks',
    't.id',
    'subject',
    'reorganizations',
    " and t.kind = 'objects.reorganize'",
  ),
  reorganizations_without_task: left(
    'reorganizations',
    't.id',
    'id',
    'tasks',
    " and t.state in ('PENDING', 'PROGRESS')",
  ),
  image_operations_without_task: ofOwner(`select i.object_id as what from image_operations i
    where i.owner_id = ? and i.ended = 0 and not exists (
      select 1 from tasks t join image_operations o on o.owner_id = t.owner_id and o.id = t.id
      where t.owner_id = i.owner_id and o.object_id = i.object_id and o.ended = 0)
    group by i.object_id`),
  moves_without_reorganization: left(
    'reorganization_moves',
    "t.run_id || '/' || t.object_id",
    'run_id',
    'reorganizations',
  ),
  places_without_reorganization: left(
    'reorganization_targets',
    "t.run_id || '/' || t.id",
    'run_id',
    'reorganizations',
  ),
  bulk_items_without_object: beside('bulk_items'),
  bulk_items_without_run: left(
    'bulk_items',
    "t.run_id || '/' || t.object_id",
    'run_id',
    'bulk_runs',
  ),
  bulk_counts_without_run: left(
    'bulk_counts',
    "t.run_id || '/' || t.outcome",
    'run_id',
    'bulk_runs',
  ),
  bulk_runs_without_task: ofOwner(`select r.id as what from bulk_runs r where r.owner_id = ?
    and not exists (select 1 from tasks t where t.owner_id = r.owner_id and t.subject = r.id
      and t.kind = 'objects.bulk')`),
  tasks_without_bulk_run: left(
    'tasks',
    't.id',
    'subject',
    'bulk_runs',
    " and t.kind = 'objects.bulk'",
  ),
  objects_without_version: ofOwner(`select id as what from (
      select id, version, content_hash, blob_id from objects where owner_id = ?
      except select object_id, version, sha256, blob_id from versions where owner_id = ?) o`),
  objects_without_folder: left('objects', 't.id', 'folder', 'collections'),
  folders_without_theme: left('collections', 't.id', 'theme', 'themes'),
  chats_without_folder: left('chat_sessions', 't.id', 'folder', 'collections'),
  messages_without_chat: left('chat_messages', 't.id', 'session_id', 'chat_sessions'),
  chat_objects_without_chat: left(
    'chat_objects',
    "t.session_id || '/' || t.object_id",
    'session_id',
    'chat_sessions',
  ),
  exceptions_without_event: left(
    'calendar_exceptions',
    "t.event_id || '/' || t.original",
    'event_id',
    'calendar_events',
  ),
  active_without_role: ofOwner(`select 'active' as what from active_agent_roles t
    where t.owner_id = ? and t.slug not in (${BUILT_IN})
      and not exists (select 1 from agent_roles r where r.owner_id = t.owner_id and r.slug = t.slug)`),
  shares_without_resource: ofOwner(`select s.id as what from shares s where s.owner_id = ?
    and not exists (select 1 from objects o
      where s.kind = 'file' and o.owner_id = s.owner_id and o.id = s.resource_id)
    and not exists (select 1 from collections c
      where s.kind = 'folder' and c.owner_id = s.owner_id and c.id = s.resource_id)`),
  accesses_without_share: left('share_accesses', 't.share_id', 'share_id', 'shares'),
  tries_without_share: left('share_password_attempts', 't.share_id', 'share_id', 'shares'),
  bots_without_task: ofOwner(`select b.id as what from bots b where b.owner_id = ?
    and not exists (select 1 from tasks t where t.owner_id = b.owner_id and t.subject = b.id
      and t.kind = 'bot.updates')`),
  tasks_without_bot: left(
    'tasks',
    't.id',
    'subject',
    'bots',
    ` and t.kind in (${BOT_TASKS.join(', ')})`,
  ),
  groups_without_bot: left('bot_chats', "t.bot_id || '/' || t.chat_id", 'bot_id', 'bots'),
  members_without_group: ofOwner(`select m.bot_id || '/' || m.chat_id as what from bot_members m
    where m.owner_id = ? and not exists (select 1 from bot_chats c
      where c.owner_id = m.owner_id and c.bot_id = m.bot_id and c.chat_id = m.chat_id)`),
  parts_without_upload: left(
    'upload_parts',
    "t.upload_id || '/' || t.start_at",
    'upload_id',
    'uploads',
  ),
  // By its object: its key opens a document.
  office_sessions_without_object: beside('office_sessions'),
} satisfies Partial<Record<RowCheck, Check>>;

/** Counters, references and copied values that disagree with the rows they are of. */
const DISAGREEMENTS = {
  group_counts: ofOwner(`select c.bot_id || '/' || c.chat_id as what from bot_chats c
    where c.owner_id = ? and c.known_count <> (select count(*) from bot_members m
      where m.owner_id = c.owner_id and m.bot_id = c.bot_id and m.chat_id = c.chat_id
        and m.is_present = 1)`),
  event_numbers: ofOwner(`select e.id as what from calendar_events e where e.owner_id = ?
    and (not exists (select 1 from calendars c
        where c.owner_id = e.owner_id and c.last_number >= e.number)
      or exists (select 1 from calendar_events o
        where o.owner_id = e.owner_id and o.number = e.number and o.id < e.id))`),
  // A content that counts nobody must not be there at all, so it counts for more than can be taken away.
  contents_refs: drift(
    'sha256',
    `select sha256, case when refs < 1 then 1000000000 else refs end as n
     from contents where owner_id = ?`,
    refs,
    'sha256',
  ),
  versions_content: ofOwner(`select v.object_id || '/' || v.version as what from versions v
    where v.owner_id = ? and not exists (
      select 1 from contents c where c.owner_id = v.owner_id and c.sha256 = v.sha256
        and c.blob_id = v.blob_id and c.size = v.size)`),
  upload_bytes: ofOwner(`select u.id as what from uploads u
    where u.owner_id = ? and u.received <> case when u.state = 'finished' then u.size else
      (select coalesce(sum(p.size), 0) from upload_parts p
        where p.owner_id = u.owner_id and p.upload_id = u.id) end`),
  object_counts: drift(
    'folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested',
    `select folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested, n
     from object_counts where owner_id = ?`,
    objectCounts,
    "folder || '/' || kind || '/' || doc_type || '/' || text_state || '/' || status || '/' || trashed || is_hidden || suggested",
  ),
  // Which names of categories are the same only the program knows, so each object needs one row at least.
  object_lists: ofOwner(`select object_id as what from (
      select object_id, trashed, is_hidden, created_at from object_categories where owner_id = ?
      except select id, trashed, is_hidden, created_at from objects
        where owner_id = ? and categories <> '[]') stray
    union select id from (
      select id, trashed, is_hidden, created_at from objects
        where owner_id = ? and categories <> '[]'
      except select object_id, trashed, is_hidden, created_at from object_categories
        where owner_id = ?) unlisted
    union select id from objects where owner_id = ? and suggested <>
      case when suggested_name is null and suggested_folder is null then 0 else 1 end`),
  list_counts: drift(
    'list, part',
    'select list, part, n from list_counts where owner_id = ?',
    lists,
    "list || '/' || part",
  ),
  usage_bytes: ofOwner(`select 'bytes' as what
    where (select coalesce(sum(size), 0) from contents where owner_id = ?)
      <> (select coalesce(sum(bytes), 0) from owner_usage where owner_id = ?)`),
  notification_counts: drift(
    'part',
    all(
      NOTIFICATION_COUNTS.map(
        (part) =>
          `select '${part}' as part, ${part} as n from notification_states where owner_id = ?`,
      ),
    ),
    NOTIFICATION_COUNTS.map(
      (part) => `select '${part}', -1 from notifications where owner_id = ?
        and is_hidden = ${part.startsWith('hidden') ? 1 : 0}
        ${part.endsWith('unread') ? 'and read_at is null' : ''}`,
    ),
    'part',
  ),
  notification_sights: ofOwner(`select t.id as what from notifications t
    join objects o on o.owner_id = t.owner_id and o.id = t.object_id
    where t.owner_id = ? and t.is_hidden <> o.is_hidden
    union all select id as what from notifications
      where owner_id = ? and object_id = '' and is_hidden = 1`),
  chat_sights: ofOwner(`select t.session_id as what from chat_objects t
    join objects o on o.owner_id = t.owner_id and o.id = t.object_id
    where t.owner_id = ? and t.is_hidden <> o.is_hidden
    union select s.id as what from chat_sessions s where s.owner_id = ?
      and s.is_hidden <> case when exists (select 1 from chat_objects c
        where c.owner_id = s.owner_id and c.session_id = s.id and c.is_hidden = 1)
        then 1 else 0 end`),
  correction_flags: ofOwner(`select o.id as what from objects o
    where o.owner_id = ? and o.has_corrections <> (
      select count(*) from text_corrections c
      where c.owner_id = o.owner_id and c.object_id = o.id)`),
} satisfies Partial<Record<RowCheck, Check>>;

/** Rows of the search index, but for the index proper. */
const SEARCH_ROWS = {
  search_entries_without_object: ofOwner(`select e.object_id as what from search_entries e
    where e.${OWN} and not exists (
      select 1 from objects o where o.owner_id = ? and o.id = e.object_id)`),
  passages_without_entry: {
    each: 'numbers',
    query: `select p.number as what from search_passages p where p.number >= ? and p.number < ?
      and not exists (select 1 from search_entries e where e.number = ${entryOf('p.number')})`,
  },
  // Without statistics Postgres would scan all entries for each object. Comparing sets avoids that.
  objects_without_search_entry: ofOwner(`select id as what from (
      select id from objects where owner_id = ?
      except select object_id from search_entries where ${OWN}) o`),
  search_facts: ofOwner(`select o.id as what from search_entries e
    join objects o on o.owner_id = ? and o.id = e.object_id
    where e.${OWN} and (
      e.zone <> case when o.trashed = 1 then 'excluded'
        when o.is_hidden = 1 then 'hidden' else 'visible' end
      or e.kind <> o.kind or e.doc_type <> o.doc_type or e.created_at <> o.created_at
      or coalesce(e.collection_id, '') <> o.folder)`),
  search_passages: ofOwner(`select e.object_id as what from search_entries e
    left join search_passages p
      on p.number >= e.number * ${PER_OBJECT} and p.number < (e.number + 1) * ${PER_OBJECT}
    where e.${OWN} group by e.object_id, e.passages having count(p.number) <> e.passages + 1`),
  search_totals: ofOwner(`select zone as what from (
      select zone, objects, passages, terms from search_totals where ${OWN}
      union all select zone, -1, -passages, -terms from search_entries where ${OWN}) c
    group by zone having sum(objects) <> 0 or sum(passages) <> 0 or sum(terms) <> 0`),
} satisfies Partial<Record<RowCheck, Check>>;

export const checksFor = (sql: Pick<Sql, 'dialect'>): Readonly<Record<RowCheck, Check>> => ({
  ...MISSING_ROWS,
  ...DISAGREEMENTS,
  ...SEARCH_ROWS,
  search_terms: searchTerms(sql),
});
