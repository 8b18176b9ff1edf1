import { PROGRESS_STATUSES, type MigrationProgress } from '../../../../core/storage/index.ts';
import { MIGRATION_DIRECTIONS } from '../../../../ports/storage-migrations.ts';
import { CONNECTION_CODES } from '../../../../ports/reasons.ts';
import { route } from '../../route.ts';
import {
  closed,
  int,
  named,
  nullable,
  object,
  oneOf,
  text,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, connectionError, deleted, iso } from '../shapes.ts';

const tag = 'Integrations';
const path = '/v1/integrations/s3/migration';

export const Migration = named(
  'StorageMigration',
  closed({
    status: oneOf(...PROGRESS_STATUSES),
    direction: oneOf(...MIGRATION_DIRECTIONS),
    total: int({ description: 'Objects with stored bytes: `moved` and `remaining`.' }),
    moved: int({
      description: 'At the target of the latest run: in the bucket, after `back` with the service.',
    }),
    failed: int({ description: 'Of `remaining`, those that could not be moved.' }),
    remaining: int({ description: 'Counted from the files.' }),
    started_at: text({ description: 'ISO 8601; empty before the first run.' }),
    finished_at: text({ description: 'ISO 8601; empty before the end.' }),
    error: text({ description: 'Reason of a failure or of waiting; otherwise empty.' }),
    error_code: nullable(oneOf(...CONNECTION_CODES)),
    error_fact: text({ description: 'A status or number in the reason; empty for none.' }),
  }),
);

export const migrationOf = (of: MigrationProgress): TypeOf<typeof Migration> => ({
  status: of.status,
  direction: of.direction,
  total: of.total,
  moved: of.moved,
  failed: of.failed,
  remaining: of.remaining,
  started_at: of.startedAt === null ? '' : iso(of.startedAt),
  finished_at: of.finishedAt === null ? '' : iso(of.finishedAt),
  error: of.error,
  ...connectionError(of.error),
});

export const storageMoveRoutes = [
  route({
    method: 'get',
    path,
    tag,
    name: 'getMigration',
    summary: 'Progress of the storage migration',
    description:
      'Objects, counted from the files each time: `total` is `moved` plus `remaining`. While the zone is locked, hidden objects are left out.',
    access: 'owner',
    scope: ['connections', 'read'],
    readsUnlockToken: true,
    reply: { json: Migration },
    run: (core, { caller }) => core.storage.migrationProgress(caller),
    present: migrationOf,
  }),
  route({
    method: 'post',
    path,
    tag,
    name: 'startMigration',
    summary: 'Move all files into the owner’s bucket, or back, in the background',
    description:
      'Every file stays readable. `back` disables the bucket for new files. A copy is verified before the original is removed. A file that fails three times is skipped until the next run.',
    access: 'owner',
    scope: 'connections',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_configured', 'already_running'],
    body: { json: object({ direction: withDefault(oneOf(...MIGRATION_DIRECTIONS), 'out') }) },
    reply: { json: Migration },
    run: (core, { caller, body }) => core.storage.startMigration(caller, body.direction),
    present: migrationOf,
  }),
  route({
    method: 'delete',
    path,
    tag,
    name: 'cancelMigration',
    summary: 'Stop the migration after the current file; moved files stay where they are',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found'],
    reply: { json: Deleted },
    run: (core, { caller }) => core.storage.cancelMigration(caller),
    present: deleted,
  }),
];
