import type { DialectTypes } from '../migration.ts';

/** Themes, folders (collections), and the reorganization runs that put objects into them. */
export const folderTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table themes (
    owner_id ${text} not null,
    id ${text} not null,
    name ${text} not null,
    name_fold ${text} not null,
    icon ${text} not null,
    is_hidden ${flag} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${clustered}`,
  'create index themes_by_name on themes (owner_id, name_fold, id)',
  `create table collections (
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
  )${heap}`,
  'create unique index collections_by_theme on collections (owner_id, theme, name_fold)',
  'create index collections_by_name on collections (owner_id, name_fold, id)',
  `create table reorganizations (
    owner_id ${text} not null,
    id ${text} not null,
    scope ${text} not null,
    dry_run ${flag} not null,
    state ${text} not null,
    phase ${text} not null,
    planned ${flag} not null,
    total ${int} not null,
    processed ${int} not null,
    moved ${int} not null,
    skipped ${int} not null,
    created_folders ${int} not null,
    created_themes ${int} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${clustered}`,
  // Folders and themes that a run plans; `resolved_id` is the row created for one, or an existing row of the same name.
  `create table reorganization_targets (
    owner_id ${text} not null,
    run_id ${text} not null,
    id ${text} not null,
    kind ${text} not null,
    name ${text} not null,
    description ${text} not null,
    icon ${text} not null,
    theme ${text} not null,
    resolved_id ${text} not null,
    primary key (owner_id, run_id, id)
  )${heap}`,
  `create table reorganization_moves (
    owner_id ${text} not null,
    run_id ${text} not null,
    object_id ${text} not null,
    ord ${int} not null,
    from_folder ${text} not null,
    to_folder ${text} not null,
    state ${text} not null,
    undone ${flag} not null,
    primary key (owner_id, run_id, object_id)
  )${clustered}`,
  `create index reorganization_moves_in_order on reorganization_moves
    (owner_id, run_id, state, ord)`,
  `create index reorganization_moves_of_object on reorganization_moves (owner_id, object_id)`,
];
