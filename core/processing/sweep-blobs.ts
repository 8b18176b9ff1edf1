import type { BlobStore } from '../../ports/blobs.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { TaskHandler } from '../tasks/index.ts';

export interface SweepDeps {
  readonly blobs: BlobStore;
  readonly directory: Directory;
}

const BATCH = 200;

/**
 * Removes blobs that no row came to refer to, left by a crash between bytes and row. Only those written before the
 * moment: younger ones may still be waiting for their row. Answers how many went.
 */
export async function sweepBlobs(deps: SweepDeps, before: Instant): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    const stray = await deps.directory.strayBlobs(batch);
    for (const blobId of stray) await deps.blobs.remove(blobId);
    removed += stray.length;
    batch = [];
  };
  for await (const { blobId, modifiedAt } of deps.blobs.list()) {
    if (modifiedAt >= before) continue;
    batch.push(blobId);
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

/** Removes the bytes that the last reference went from. Their id is never used again, so late is as good as early. */
export const removeBlob = (deps: {
  readonly blobs: BlobStore;
  readonly uow: UnitOfWork<'tasks'>;
}): TaskHandler => ({
  run: async (scope, task) => {
    await deps.blobs.remove(task.subject);
    await deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
  },
  // The sweep finds what could not be removed.
  giveUp: () => Promise.resolve(),
});
