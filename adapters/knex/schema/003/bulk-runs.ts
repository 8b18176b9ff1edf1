import type { DialectTypes } from '../migration.ts';

/** Bulk changes that can be undone, and plans that can be applied. */
export const bulkRunsStatements = ({
  text,
  int,
  flag,
  clustered,
  heap,
}: DialectTypes): readonly string[] => [
  `create table bulk_runs (
    owner_id ${text} not null,
    id ${text} not null,
    action ${text} not null,
    folder ${text} not null,
    categories ${text} not null,
    filter ${text},
    except_ids ${text} not null,
    undo_of ${text} not null,
    is_background ${flag} not null,
    is_concealed ${flag} not null,
    zone ${text} not null,
    bound_to ${text} not null,
    state ${text} not null,
    is_collected ${flag} not null,
    position ${text},
    next_ord ${int} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    expires_at ${int},
    primary key (owner_id, id)
  )${heap}`,
  'create index bulk_runs_by_age on bulk_runs (owner_id, is_background, created_at, id)',
  // The objects of a run: what an undo puts back.
  `create table bulk_items (
    owner_id ${text} not null,
    run_id ${text} not null,
    object_id ${text} not null,
    ord ${int} not null,
    is_hidden ${flag} not null,
    outcome ${text} not null,
    change ${text},
    primary key (owner_id, run_id, object_id)
  )${clustered}`,
  'create index bulk_items_in_order on bulk_items (owner_id, run_id, outcome, ord)',
  'create index bulk_items_of_object on bulk_items (owner_id, object_id)',
  `create table bulk_counts (
    owner_id ${text} not null,
    run_id ${text} not null,
    is_hidden ${flag} not null,
    outcome ${text} not null,
    n ${int} not null,
    primary key (owner_id, run_id, is_hidden, outcome)
  )${clustered}`,
];
