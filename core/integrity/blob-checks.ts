import { BlobNotFoundError, type BlobStore, type ContentDigest } from '../../ports/blobs.ts';
import type { BlobReference } from '../../ports/integrity.ts';

type Readable = Pick<BlobStore, 'read'>;

/** Whether a blob exists under the id; reads one byte. */
export async function blobExists(blobs: Readable, blobId: string): Promise<boolean> {
  const there = await unlessMissing(async () => {
    const read = blobs.read(blobId, { first: 0, last: 0 })[Symbol.asyncIterator]();
    await read.next();
    await read.return?.();
    return true;
  });
  return there ?? false;
}

/** Whether the bytes match the row; undefined if there are none. */
export async function blobMatchesHash(
  { blobs, digest }: { readonly blobs: Readable; readonly digest: ContentDigest },
  holding: BlobReference,
): Promise<boolean | undefined> {
  const found = await unlessMissing(() => digest.of(blobs.read(holding.blobId)));
  if (!found) return undefined;
  return (
    (holding.sha256 === null || holding.sha256 === found.sha256) &&
    (holding.size === null || holding.size === found.size)
  );
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BlobNotFoundError) return undefined;
    throw error;
  }
}
