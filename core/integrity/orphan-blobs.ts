import type { BlobStore } from '../../ports/blobs.ts';
import type { Directory } from '../../ports/directory.ts';
import type { IntegrityChecks } from '../../ports/integrity.ts';
import type { Instant } from '../../ports/runtime.ts';
import { REMOVE_BLOB_TASK } from '../objects/index.ts';
import { blobExists } from './blob-checks.ts';

const BATCH = 200;

export interface OrphanBlobDeps {
  readonly integrity: Pick<IntegrityChecks, 'subjects'>;
  readonly directory: Pick<Directory, 'strayBlobs'>;
  readonly blobs: Pick<BlobStore, 'list' | 'read'>;
}

/**
 * Bytes that no row refers to. `tooRecent` are those written since the moment, which may still get a row, and those
 * that a task is about to remove.
 */
export async function findOrphanBlobs(
  deps: OrphanBlobDeps,
  settledBefore: Instant,
): Promise<{ readonly stray: readonly string[]; readonly tooRecent: readonly string[] }> {
  const stray: string[] = [];
  const tooRecent: string[] = [];
  let batch = new Map<string, Instant>();
  const flush = async () => {
    const without = await deps.directory.strayBlobs([...batch.keys()]);
    // Read after the rows: a blob that lost its row before has its task by now, or is deleted.
    const leaving = new Set(
      without.length > 0 ? await deps.integrity.subjects(REMOVE_BLOB_TASK) : [],
    );
    for (const blobId of without) {
      if (leaving.has(blobId) || (batch.get(blobId) ?? 0) >= settledBefore) tooRecent.push(blobId);
      else if (await blobExists(deps.blobs, blobId)) stray.push(blobId);
    }
    batch = new Map();
  };
  for await (const { blobId, modifiedAt } of deps.blobs.list()) {
    batch.set(blobId, modifiedAt);
    if (batch.size >= BATCH) await flush();
  }
  await flush();
  return { stray, tooRecent };
}
