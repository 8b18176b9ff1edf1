import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { removeCopy, type OwnerBlobsDeps } from './owner-blobs.ts';

export interface SweepCopiesDeps extends OwnerBlobsDeps {
  readonly directory: Pick<Directory, 'copiesOf' | 'strayBlobs' | 'strayCopies'>;
  readonly deletionHolds: Pick<DeletionHolds, 'anyActive'>;
}

const BATCH = 200;
/** The rest is left to the next run. */
const MAX_COPIES_PER_RUN = 10_000;

/**
 * Removes copies older than the moment that are neither read nor to be removed by a task. Newer ones may still be in
 * progress. An owner whose bucket fails is skipped until the next run, and does not delay others. None is removed
 * while a deletion hold is active, or after an interruption. Returns the number of removed copies.
 */
export async function sweepCopies(
  deps: SweepCopiesDeps,
  before: Instant,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const failing = new Set<string>();
  let removed = 0;
  for (let after: string | null = null; removed < MAX_COPIES_PER_RUN;) {
    if (!shouldContinue() || (await deps.deletionHolds.anyActive(deps.clock.now()))) break;
    const stray = await deps.directory.strayCopies(before, after, BATCH);
    for (const { scope, blobId } of stray) {
      after = blobId;
      if (failing.has(scope.ownerId)) continue;
      try {
        removed += await sweep(deps, scope, blobId, before);
      } catch (error) {
        if (!isBucketFailure(error)) throw error;
        failing.add(scope.ownerId);
      }
    }
    if (stray.length < BATCH) break;
  }
  return removed;
}

async function sweep(
  deps: SweepCopiesDeps,
  scope: OwnerScope,
  blobId: string,
  before: Instant,
): Promise<number> {
  const owned = await deps.directory.copiesOf(blobId);
  const [unused] = await deps.directory.strayBlobs([blobId]);
  let removed = 0;
  for (const copy of owned?.copies ?? []) {
    if (copy.createdAt >= before || (copy.state === 'current' && unused === undefined)) continue;
    await removeCopy(deps, scope, copy);
    removed++;
  }
  return removed;
}
