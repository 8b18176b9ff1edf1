import { createHash } from 'node:crypto';
import type { ContentDigest } from '../../ports/blobs.ts';

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
};
