import {
  REORGANIZATION_SCOPES,
  REORGANIZATION_STATES,
  RUN_SCOPES,
} from '../../../../ports/reorganizations.ts';
import {
  hasEnded,
  MOVES_SHOWN,
  type ReorganizationMove,
  type ReorganizationView,
} from '../../../../core/organize/index.ts';
import { MAX_NAME_LENGTH } from '../../../../core/library/index.ts';
import type { Reorganization } from '../../../../ports/reorganizations.ts';
import { cursorOf } from '../../request/cursor.ts';
import { route } from '../../route.ts';
import {
  closed,
  cursor,
  dateTime,
  either,
  freeForm,
  flag,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { validationError } from '../../validation/compile-request.ts';
import { iso, listReply, paging } from '../shapes.ts';

const tag = 'Objects';

const taskPath = object({ task_id: text() });

const counters = {
  state: oneOf(...REORGANIZATION_STATES),
  done: flag(),
  phase: text(),
  total: int(),
  processed: int(),
  moved: int(),
  skipped: int(),
  created_folders: int(),
  created_themes: int(),
};

const countersOf = (run: Reorganization) => ({
  state: run.state,
  done: hasEnded(run),
  phase: run.phase,
  total: run.total,
  processed: run.processed,
  moved: run.moved,
  skipped: run.skipped,
  created_folders: run.createdFolders,
  created_themes: run.createdThemes,
});

const PlannedFolder = named(
  'PlannedFolder',
  closed({
    id: uuid({ description: 'For `rename`, if it does not exist.' }),
    theme: nullable(text()),
    name: text(),
    exists: flag(),
  }),
);

const Move = closed({
  object_id: uuid(),
  from: nullable(uuid()),
  to: nullable(either(uuid(), PlannedFolder)),
});

const moveOf = ({ objectId, from, to, folder }: ReorganizationMove): TypeOf<typeof Move> => ({
  object_id: objectId,
  from,
  to: folder === undefined ? to : folder,
});

const Progress = named(
  'ReorganizeProgress',
  closed({
    ...counters,
    candidates: optional(int()),
    moves: optional(list(Move)),
    next_cursor: optional(text({ description: 'If more moves follow.' })),
  }),
);

function progressOf({ run, moves, hasMore }: ReorganizationView): TypeOf<typeof Progress> {
  const last = hasMore ? moves?.at(-1) : undefined;
  const next = cursorOf(last ? { key: last.ord, id: last.objectId } : null);
  return {
    ...countersOf(run),
    ...(moves && { candidates: run.total, moves: moves.map(moveOf) }),
    ...(next !== null && { next_cursor: next }),
  };
}

const RunCard = named(
  'ReorganizationCard',
  closed({
    task_id: uuid(),
    scope: oneOf(...RUN_SCOPES),
    dry_run: flag(),
    ...counters,
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
);

const runCard = (run: Reorganization): TypeOf<typeof RunCard> => ({
  task_id: run.id,
  scope: run.scope,
  dry_run: run.dryRun,
  ...countersOf(run),
  created_at: iso(run.createdAt),
  updated_at: iso(run.updatedAt),
});

const Started = named(
  'StartedReorganization',
  closed({ task_id: uuid(), state: oneOf('PENDING') }),
);
const started = ({ taskId }: { readonly taskId: string }): TypeOf<typeof Started> => ({
  task_id: taskId,
  state: 'PENDING',
});

const MAX_EXCEPTIONS = 500;
/** More folders than a plan creates. */
const MAX_RENAMED = 100;

/** The names as they are stored: NFC, trimmed. */
function renamedFolders(sent: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const entries = Object.entries(sent);
  if (entries.length > MAX_RENAMED)
    throw invalidNames(`at most ${MAX_RENAMED} folders can be renamed`, sent);
  const names = new Map<string, string>();
  for (const [folder, name] of entries) {
    const stored = typeof name === 'string' ? name.normalize('NFC').trim() : '';
    const length = [...stored].length;
    if (length === 0 || length > MAX_NAME_LENGTH)
      throw invalidNames(`a name is a text of 1 to ${MAX_NAME_LENGTH} characters`, sent);
    names.set(folder, stored);
  }
  return names;
}

const invalidNames = (reason: string, sent: unknown) =>
  validationError(['body', 'rename'], 'value_error', `Value error, ${reason}`, sent, { error: {} });

export const organizeRoutes = [
  route({
    method: 'post',
    path: '/v1/objects/reorganize',
    tag,
    name: 'startReorganization',
    summary: 'Sort objects into folders and themes in the background',
    description:
      '`uncategorized` moves objects without a folder, `all` every visible object. Existing folders are preferred; missing ones are created. `dry_run` only plans. A second start while one runs is 409 with its `task_id`.',
    access: 'owner',
    scope: 'write',
    acceptsIdempotencyKey: true,
    errors: ['already_running'],
    body: {
      json: object({
        scope: withDefault(oneOf(...REORGANIZATION_SCOPES), 'uncategorized'),
        dry_run: optional(flag()),
      }),
    },
    reply: { json: Started },
    run: (core, { caller, body }) =>
      core.organize.startReorganization(caller, {
        scope: body.scope,
        dryRun: body.dry_run ?? false,
      }),
    present: started,
  }),
  route({
    method: 'get',
    path: '/v1/objects/reorganize',
    tag,
    name: 'listReorganizations',
    summary: 'The newest reorganizations and dry runs, newest first',
    description: 'The newest 20 are stored. A dry run that was applied is no longer one.',
    access: 'owner',
    scope: 'read',
    query: object(paging),
    reply: { json: listReply('ReorganizationList', RunCard) },
    run: (core, { caller, query }) => core.organize.listReorganizations(caller, query),
    present: ({ items, total }) => ({ items: items.map(runCard), total }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/reorganize/:task_id',
    tag,
    name: 'getReorganization',
    summary: 'Progress and result of a reorganization',
    description:
      '`SUCCESS` adds `candidates` and the first 500 `moves`. At the end `moved` and `skipped` add up to `total`. After a `FAILURE`, `phase` names where the run stopped. In a dry run `to` describes the folder, also one that would be created; it is null if the folder was deleted since. If more moves follow, `next_cursor` is the `cursor` of the next page.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: taskPath,
    query: object({
      limit: withDefault(int({ minimum: 1, maximum: MOVES_SHOWN }), MOVES_SHOWN),
      cursor: optional(cursor()),
    }),
    reply: { json: Progress },
    run: (core, { caller, params, query }) =>
      core.organize.getReorganization(caller, params.task_id, {
        limit: query.limit,
        after: typeof query.cursor?.key === 'number' ? query.cursor.key : -1,
      }),
    present: progressOf,
  }),
  route({
    method: 'post',
    path: '/v1/objects/reorganize/:task_id/apply',
    tag,
    name: 'applyReorganization',
    summary: 'Execute the plan of a dry run in the background',
    description:
      'The dry run becomes the run that is executed, under the same `task_id`, and can be undone. Objects that are no longer where the plan found them, and those of `except`, are `skipped`. `rename` gives folders that the plan would create another name, each by its `id` or `name` in the plan; of one that exists in the theme by then, the folder is used. A run that is no dry run, or was applied, is 409 `not_a_dry_run`.',
    access: 'owner',
    scope: 'write',
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'already_running', 'not_a_dry_run'],
    params: taskPath,
    body: {
      json: object({
        except: optional(list(uuid(), { maxItems: MAX_EXCEPTIONS })),
        rename: optional(
          freeForm({ description: 'The new names of folders, by their ids or present names.' }),
        ),
      }),
    },
    reply: { json: Started },
    run: (core, { caller, params, body }) =>
      core.organize.applyReorganization(caller, params.task_id, {
        except: body.except ?? [],
        rename: renamedFolders(body.rename ?? {}),
      }),
    present: started,
  }),
  route({
    method: 'post',
    path: '/v1/objects/reorganize/:task_id/undo',
    tag,
    name: 'undoReorganization',
    summary: 'Undo the moves of a reorganization',
    description:
      'Objects that are no longer where the run put them are `skipped`. Folders and themes created by the run are removed if empty. A running run is 409 `already_running`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found', 'already_running'],
    params: taskPath,
    reply: { json: named('ReorganizationUndone', closed({ undone: int(), skipped: int() })) },
    run: (core, { caller, params }) => core.organize.undoReorganization(caller, params.task_id),
    present: ({ undone, skipped }) => ({ undone, skipped }),
  }),
];
