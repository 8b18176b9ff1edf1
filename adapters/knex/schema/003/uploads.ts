import type { DialectTypes } from '../migration.ts';

/** Resumable uploads, and the parts of them that have arrived. A part refers to a row of `contents` by its hash. */
export const uploadsStatements = ({ text, int, clustered }: DialectTypes): readonly string[] => [
  `create table uploads (
    owner_id ${text} not null,
    id ${text} not null,
    filename ${text} not null,
    metadata ${text} not null,
    folder ${text} not null,
    on_duplicate ${text} not null,
    folder_path ${text} not null,
    drop_id ${text} not null,
    drop_name ${text} not null,
    size ${int} not null,
    received ${int} not null,
    state ${text} not null,
    object_id ${text} not null,
    created_at ${int} not null,
    progress_at ${int} not null,
    primary key (owner_id, id)
  )${clustered}`,
  'create index uploads_by_progress on uploads (progress_at, owner_id)',
  'create index uploads_of_drop on uploads (owner_id, drop_name, progress_at)',
  "create index uploads_open on uploads (owner_id) where state = 'open'",
  `create table upload_parts (
    owner_id ${text} not null,
    upload_id ${text} not null,
    start_at ${int} not null,
    size ${int} not null,
    sha256 ${text} not null,
    primary key (owner_id, upload_id, start_at)
  )${clustered}`,
];
