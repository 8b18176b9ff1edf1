import type { BlobStore } from '../../ports/blobs.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Inspection } from '../../ports/inspection.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import { REMOVE_BLOB_TASK } from '../objects/index.ts';
import { isThere } from './reading.ts';

const BATCH = 200;

export interface StrayDeps {
  readonly inspection: Pick<Inspection, 'subjects'>;
  readonly directory: Pick<Directory, 'strayBlobs'>;
  readonly blobs: Pick<BlobStore, 'list' | 'read'>;
}

/**
 * Bytes that no row refers to. `unsettled` are those written since the moment, which may still get a row, and those
 * that a task is about to remove.
 */
export async function strayBlobs(
  deps: StrayDeps,
  settledBefore: Instant,
): Promise<{ readonly stray: readonly string[]; readonly unsettled: readonly string[] }> {
  const stray: string[] = [];
  const unsettled: string[] = [];
  let batch = new Map<string, Instant>();
  const flush = async () => {
    const without = await deps.directory.strayBlobs([...batch.keys()]);
    // Read after the rows: a blob that lost its row before has its task by now, or is deleted.
    const leaving = new Set(
      without.length > 0 ? await deps.inspection.subjects(REMOVE_BLOB_TASK) : [],
    );
    for (const blobId of without) {
      if (leaving.has(blobId) || (batch.get(blobId) ?? 0) >= settledBefore) unsettled.push(blobId);
      else if (await isThere(deps.blobs, blobId)) stray.push(blobId);
    }
    batch = new Map();
  };
  for await (const { blobId, modifiedAt } of deps.blobs.list()) {
    batch.set(blobId, modifiedAt);
    if (batch.size >= BATCH) await flush();
  }
  await flush();
  return { stray, unsettled };
}
