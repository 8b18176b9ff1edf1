import { REORGANIZATION_SCOPES, REORGANIZATION_STATES } from '../../../../ports/reorganizations.ts';
import { hasEnded, type ReorganizationView } from '../../../../core/organize/index.ts';
import { route } from '../../route.ts';
import {
  closed,
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

const tag = 'Objects';

const taskPath = object({ task_id: text() });

const Progress = named(
  'ReorganizeProgress',
  closed({
    state: oneOf(...REORGANIZATION_STATES),
    done: flag(),
    phase: text(),
    total: int(),
    processed: int(),
    moved: int(),
    skipped: int(),
    created_folders: int(),
    created_themes: int(),
    candidates: optional(int()),
    moves: optional(
      list(closed({ object_id: uuid(), from: nullable(uuid()), to: nullable(uuid()) })),
    ),
  }),
);

const progressOf = ({ run, moves }: ReorganizationView): TypeOf<typeof Progress> => ({
  state: run.state,
  done: hasEnded(run),
  phase: run.phase,
  total: run.total,
  processed: run.processed,
  moved: run.moved,
  skipped: run.skipped,
  created_folders: run.createdFolders,
  created_themes: run.createdThemes,
  ...(moves && {
    candidates: run.total,
    moves: moves.map(({ objectId, from, to }) => ({ object_id: objectId, from, to })),
  }),
});

export const organizeRoutes = [
  route({
    method: 'post',
    path: '/v1/objects/reorganize',
    tag,
    name: 'startReorganization',
    summary: 'Put objects into folders and themes, in the background',
    description:
      '`uncategorized` moves what lies in no folder, `all` whatever is visible. Present folders come first; missing ones are made. With `dry_run` the run tells what it would do. A second one while one runs is 409 with its `task_id`.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    errors: ['already_running'],
    body: {
      json: object({
        scope: withDefault(oneOf(...REORGANIZATION_SCOPES), 'uncategorized'),
        dry_run: optional(flag()),
      }),
    },
    reply: {
      json: named('StartedReorganization', closed({ task_id: uuid(), state: oneOf('PENDING') })),
    },
    run: (core, { caller, body }) =>
      core.organize.startReorganization(caller, {
        scope: body.scope,
        dryRun: body.dry_run ?? false,
      }),
    present: ({ taskId }) => ({ task_id: taskId, state: 'PENDING' as const }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/reorganize/:task_id',
    tag,
    name: 'getReorganization',
    summary: 'How far a run has come that puts objects into folders',
    description:
      'With `SUCCESS` come `candidates` and the first 500 `moves`. In the end `moved` and `skipped` add up to `total`. In a dry run `to` is null where the folder would be made.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: taskPath,
    reply: { json: Progress },
    run: (core, { caller, params }) => core.organize.getReorganization(caller, params.task_id),
    present: progressOf,
  }),
  route({
    method: 'post',
    path: '/v1/objects/reorganize/:task_id/undo',
    tag,
    name: 'undoReorganization',
    summary: 'Take back what such a run has moved',
    description:
      'Objects that do not lie where the run put them are `skipped`. Folders and themes that it made are removed where they are empty.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found', 'already_running'],
    params: taskPath,
    reply: { json: named('ReorganizationUndone', closed({ undone: int(), skipped: int() })) },
    run: (core, { caller, params }) => core.organize.undoReorganization(caller, params.task_id),
    present: ({ undone, skipped }) => ({ undone, skipped }),
  }),
];
