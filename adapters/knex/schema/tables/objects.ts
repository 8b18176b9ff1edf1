import type { DialectTypes } from '../migration.ts';

/** Objects with the indexes of their lists, and the counters of each combination of facets. */
export const objectTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table objects (
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
    folder_answered ${flag} not null default 0,
    source_url ${text},
    has_corrections ${flag} not null,
    needs_manual ${flag} not null,
    primary key (owner_id, id)
  )${heap}`,
  // Each begins with the state and the facets, continues in list order and ends with the columns a list may filter by.
  listIndex('objects_by_time', '', ', kind, text_state'),
  listIndex('objects_by_kind', 'kind, ', ', text_state'),
  listIndex('objects_by_doc_type', 'doc_type, ', ', kind'),
  listIndex('objects_by_folder', 'folder, ', ', kind, doc_type'),
  // With the index of one facet alone, a page of few matches by two facets is searched among all rows of the one.
  listIndex('objects_by_kind_and_type', 'kind, doc_type, ', ''),
  listIndex('objects_by_folder_and_kind', 'folder, kind, ', ', doc_type'),
  listIndex('objects_by_folder_and_type', 'folder, doc_type, ', ', kind'),
  'create index objects_in_folder on objects (owner_id, folder, id)',
  `create index objects_by_hash on objects (owner_id, content_hash, trashed, created_at, id)`,
  'create index objects_in_trash on objects (deleted_at, id) where deleted_at is not null',
  `create table object_counts (
    owner_id ${text} not null,
    folder ${text} not null,
    trashed ${flag} not null,
    is_hidden ${flag} not null,
    kind ${text} not null,
    doc_type ${text} not null,
    text_state ${text} not null,
    n ${int} not null,
    primary key (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state)
  )${clustered}`,
];

function listIndex(name: string, facets: string, filters: string): string {
  return `create index ${name} on objects
    (owner_id, trashed, is_hidden, ${facets}created_at, id${filters})`;
}
