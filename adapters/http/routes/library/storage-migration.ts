import { PROGRESS_STATUSES, type MoveProgress } from '../../../../core/storage/index.ts';
import { MOVE_DIRECTIONS } from '../../../../ports/storage-moves.ts';
import { route } from '../../route.ts';
import { closed, int, named, object, oneOf, text, withDefault, type TypeOf } from '../../schema.ts';
import { Deleted, deleted, iso } from '../shapes.ts';

const tag = 'Integrations';
const path = '/v1/integrations/s3/migration';

export const Migration = named(
  'StorageMigration',
  closed({
    status: oneOf(...PROGRESS_STATUSES),
    total: int({ description: 'Objects with stored bytes: `moved` and `remaining`.' }),
    moved: int(),
    failed: int({ description: 'Of `remaining`, those that could not be moved.' }),
    remaining: int({ description: 'Counted from the files.' }),
    started_at: text({ description: 'ISO 8601; empty before the first run.' }),
    finished_at: text({ description: 'ISO 8601; empty until it has ended.' }),
    error: text({ description: 'Why it has failed or what it waits for; empty for nothing.' }),
  }),
);

export const migrationOf = (of: MoveProgress): TypeOf<typeof Migration> => ({
  status: of.status,
  total: of.total,
  moved: of.moved,
  failed: of.failed,
  remaining: of.remaining,
  started_at: of.startedAt === null ? '' : iso(of.startedAt),
  finished_at: of.finishedAt === null ? '' : iso(of.finishedAt),
  error: of.error,
});

export const storageMoveRoutes = [
  route({
    method: 'get',
    path,
    tag,
    name: 'getMigration',
    summary: 'How far the moving of files into the own bucket, or back, has come',
    description:
      'Counted from the files each time: `total` is `moved` and `remaining`, also while files come and go.',
    access: 'owner',
    readsUnlockToken: true,
    reply: { json: Migration },
    run: (core, { caller }) => core.storage.moveProgress(caller),
    present: migrationOf,
  }),
  route({
    method: 'post',
    path,
    tag,
    name: 'startMigration',
    summary: 'Move all files into the own bucket, or back to the service, in the background',
    description:
      'Every file can be read at every moment. `back` switches the bucket off for new files, so that none is left in it. A file that fails three times is passed over; a later run tries it again.',
    access: 'owner',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_configured', 'already_running'],
    body: { json: object({ direction: withDefault(oneOf(...MOVE_DIRECTIONS), 'out') }) },
    reply: { json: Migration },
    run: (core, { caller, body }) => core.storage.startMove(caller, body.direction),
    present: migrationOf,
  }),
  route({
    method: 'delete',
    path,
    tag,
    name: 'cancelMigration',
    summary: 'Stop moving files, after the file in hand; what was moved stays where it is',
    access: 'owner',
    errors: ['not_found'],
    reply: { json: Deleted },
    run: (core, { caller }) => core.storage.cancelMove(caller),
    present: deleted,
  }),
];
