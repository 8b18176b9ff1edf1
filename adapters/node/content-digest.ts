import { createHash } from 'node:crypto';
import { CorruptBlobError, type ContentDigest } from '../../ports/blobs.ts';

export const sha256ContentDigest: ContentDigest = {
  of: async (bytes) => {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex') };
  },
  async *verified(bytes, expected) {
    const hash = createHash('sha256');
    let size = 0;
    let heldBack: Uint8Array | undefined;
    for await (const chunk of bytes) {
      if (chunk.length === 0) continue;
      size += chunk.length;
      if (size > expected.size) break;
      if (heldBack) yield heldBack;
      hash.update(chunk);
      heldBack = chunk;
    }
    if (size !== expected.size || hash.digest('hex') !== expected.sha256)
      throw new CorruptBlobError('The stored bytes differ from the written ones.');
    if (heldBack) yield heldBack;
  },
};
