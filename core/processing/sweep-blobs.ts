import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import type { BlobStore, OwnerBlobs } from '../../ports/blobs.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { releaseClaim, type TaskHandler } from '../tasks/index.ts';

export interface SweepDeps {
  /** The service's storage. */
  readonly storage: BlobStore;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly deletionHolds: Pick<DeletionHolds, 'anyActive'>;
}

const BATCH = 200;
/** Delay before held blobs are checked again. */
const HELD_PAUSE_MS = 30_000;

/**
 * Garbage collection: removes blobs without a row, left by a crash between bytes and row. Only those written before
 * the moment: newer ones may still get a row. Returns their number. While a deletion hold is active it removes none;
 * the next run finds them, also after an interruption.
 */
export async function sweepBlobs(
  deps: SweepDeps,
  before: Instant,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<boolean> => {
    if (!shouldContinue() || (await deps.deletionHolds.anyActive(deps.clock.now()))) return false;
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

/** Removes bytes without references. Their id is never reused, so a delay is harmless. */
export const removeBlob = (
  deps: Pick<SweepDeps, 'clock' | 'deletionHolds'> & {
    readonly blobs: OwnerBlobs;
    readonly uow: UnitOfWork<'tasks'>;
  },
): TaskHandler => ({
  run: async (scope, task) => {
    const now = deps.clock.now();
    if (await deps.deletionHolds.anyActive(now))
      return deps.uow.write(scope, ({ tasks }) =>
        tasks.save(releaseClaim(task, now, HELD_PAUSE_MS)),
      );
    await deps.blobs.remove(task.subject).catch((error: unknown) => {
      // An owner's bucket is not retried as long as the service's storage, since it may be gone permanently.
      throw isBucketFailure(error) ? new Error(error.message, { cause: error }) : error;
    });
    await deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
  },
  // The sweeps find what could not be removed.
  abandon: (scope, task) => deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id)),
});
