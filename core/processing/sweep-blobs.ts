import type { BlobHolds } from '../../ports/blob-holds.ts';
import type { BlobStore, OwnerBlobs } from '../../ports/blobs.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Clock, Instant } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { givenBack, type TaskHandler } from '../tasks/index.ts';

export interface SweepDeps {
  /** Of the service. */
  readonly storage: BlobStore;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly holds: Pick<BlobHolds, 'areHeld'>;
}

const BATCH = 200;
/** How long what is held waits before somebody looks again. */
const HELD_PAUSE_MS = 30_000;

/**
 * Removes blobs that no row came to refer to, left by a crash between bytes and row. Only those written before the
 * moment: younger ones may still be waiting for their row. Answers how many went. While blobs are held it removes none:
 * the next sweep finds them, and what is left when it may not go on.
 */
export async function sweepBlobs(
  deps: SweepDeps,
  before: Instant,
  goesOn: () => boolean = () => true,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<boolean> => {
    if (!goesOn() || (await deps.holds.areHeld(deps.clock.now()))) return false;
    const stray = await deps.directory.strayBlobs(batch);
    for (const blobId of stray) await deps.storage.remove(blobId);
    removed += stray.length;
    batch = [];
    return true;
  };
  for await (const { blobId, modifiedAt } of deps.storage.list()) {
    if (modifiedAt >= before) continue;
    batch.push(blobId);
    if (batch.length >= BATCH && !(await flush())) return removed;
  }
  if (batch.length > 0) await flush();
  return removed;
}

/** Removes the bytes that the last reference went from. Their id is never used again, so late is as good as early. */
export const removeBlob = (
  deps: Pick<SweepDeps, 'clock' | 'holds'> & {
    readonly blobs: OwnerBlobs;
    readonly uow: UnitOfWork<'tasks'>;
  },
): TaskHandler => ({
  run: async (scope, task) => {
    const now = deps.clock.now();
    if (await deps.holds.areHeld(now))
      return deps.uow.write(scope, ({ tasks }) => tasks.save(givenBack(task, now, HELD_PAUSE_MS)));
    await deps.blobs.remove(task.subject).catch((error: unknown) => {
      // The service does not wait for an owner's bucket as it waits for its own storage: that may be away for good.
      throw isBucketFailure(error) ? new Error(error.message, { cause: error }) : error;
    });
    await deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
  },
  // The sweeps find what could not be removed.
  giveUp: (scope, task) => deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id)),
});
