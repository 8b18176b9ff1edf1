import type { ChangeFeed, ChangeKind, OwnerChange } from '../../ports/changes.ts';
import type { StorageMigration } from '../../ports/storage-migrations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { CountCache } from './count-cache.ts';

/** Kinds of changes that may change a count of stored objects. */
const COUNTED_KINDS: readonly ChangeKind[] = ['objects', 'integrations'];

const isCounted = ({ visible, hidden }: OwnerChange): boolean =>
  COUNTED_KINDS.some((kind) => visible.includes(kind) || hidden.includes(kind));

/** Publishes changes, and forgets counts that precede a change of this process. Moved files are no such change. */
export const forgetsCounts = (
  feed: Pick<ChangeFeed, 'publish'>,
  cache: Pick<CountCache, 'forget'>,
): Pick<ChangeFeed, 'publish'> => ({
  publish: (ownerId, change) => {
    if (isCounted(change)) cache.forget(ownerId);
    feed.publish(ownerId, change);
  },
});

/**
 * A state of an owner's objects, bytes and bucket from a few rows, so that changes of other processes are noticed as well.
 * Moves of files do not change it.
 */
export async function countState(
  { objects, contents, integrations }: Pick<Stores, 'objects' | 'contents' | 'integrations'>,
  hidden: boolean,
  run: Pick<StorageMigration, 'id' | 'status'> | undefined,
): Promise<string> {
  const visibility = hidden ? 'any' : 'visible';
  const { items, total } = await objects.page(
    { visibility, trashed: false },
    { order: 'newest', limit: 1, offset: 0 },
  );
  const trashed = await objects.count({ visibility, trashed: true });
  const bytes = await contents.usedBytes();
  const bucket = await integrations.find('s3');
  return JSON.stringify([
    ...[run?.id, run?.status],
    ...[total, trashed, items[0]?.id, bytes],
    ...[bucket?.enabled, bucket?.updatedAt],
  ]);
}
