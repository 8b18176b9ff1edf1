import { CorruptBlobError, type ExpectedContent } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';

/** Expected size and hash of the current content of an object. */
export const expectedOf = ({
  size,
  contentHash,
}: Pick<StoredObject, 'size' | 'contentHash'>): ExpectedContent => ({ size, sha256: contentHash });

/**
 * Passes bytes on and rejects with CorruptBlobError if their number differs from `length`. Holds back one chunk, so that
 * the last byte is never passed on if the number is wrong.
 */
export async function* exactLength(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  let read = 0;
  let heldBack: Uint8Array | undefined;
  for await (const chunk of bytes) {
    if (chunk.length === 0) continue;
    read += chunk.length;
    if (read > length) break;
    if (heldBack) yield heldBack;
    heldBack = chunk;
  }
  if (read !== length) throw new CorruptBlobError('There are fewer or more bytes than expected.');
  if (heldBack) yield heldBack;
}
