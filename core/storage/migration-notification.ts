import { connectionReason } from '../../ports/reasons.ts';
import type { StorageMigration } from '../../ports/storage-migrations.ts';
import { failureOf, type NotificationInput } from '../notifications/index.ts';
import type { WholeCount } from './count-cache.ts';

/** The notification about the end of a run; undefined if the owner ended it. */
export function migrationNotification(
  { status, direction, error }: StorageMigration,
  { total, elsewhere, failed }: WholeCount,
): NotificationInput | undefined {
  if (status === 'cancelled') return undefined;
  const moved = total - elsewhere;
  const failure = failureOf(error === '' ? null : error, connectionReason);
  const payload = { direction, moved, failed, total, ...failure };
  const where = direction === 'out' ? 'in your bucket' : 'with the service';
  const remaining = `${objects(moved)} of ${total} ${moved === 1 ? 'is' : 'are'} ${where}.`;
  if (status === 'failed')
    return {
      kind: 'migration.failed',
      title: 'Some of your files could not be moved',
      body: `${error} ${remaining}`,
      payload,
    };
  return {
    kind: 'migration.done',
    title: direction === 'out' ? 'Your files are in your bucket' : 'Your files are back',
    body: failed === 0 ? remaining : `${remaining} ${objects(failed)} could not be moved.`,
    payload,
  };
}

const objects = (count: number): string => (count === 1 ? '1 object' : `${count} objects`);
