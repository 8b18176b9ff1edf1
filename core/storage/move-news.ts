import type { StorageMove } from '../../ports/storage-moves.ts';
import type { News } from '../notifications/index.ts';
import type { WholeCount } from './recount.ts';

/** The notification about the end of a run; undefined if the owner ended it. */
export function newsOf(
  { status, direction, error }: StorageMove,
  { total, elsewhere, failed }: WholeCount,
): News | undefined {
  if (status === 'cancelled') return undefined;
  const moved = total - elsewhere;
  const payload = { moved, failed };
  const where = direction === 'out' ? 'in your bucket' : 'with the service';
  const lie = `${objects(moved)} of ${total} ${moved === 1 ? 'is' : 'are'} ${where}.`;
  if (status === 'failed')
    return {
      kind: 'migration.failed',
      title: 'Some of your files could not be moved',
      body: `${error} ${lie}`,
      payload,
    };
  return {
    kind: 'migration.done',
    title: direction === 'out' ? 'Your files are in your bucket' : 'Your files are back',
    body: failed === 0 ? lie : `${lie} ${objects(failed)} could not be moved.`,
    payload,
  };
}

const objects = (count: number): string => (count === 1 ? '1 object' : `${count} objects`);
