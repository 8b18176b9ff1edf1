import type { BlobHolds } from '../../ports/blob-holds.ts';
import type { MemoryDatabase } from './database.ts';

export function memoryBlobHolds({ blobHolds: holds }: MemoryDatabase): BlobHolds {
  return {
    take: async (id, until) => void holds.set(id, until),
    prolong: async (id, now, until) => {
      if ((holds.get(id) ?? now) <= now) return false;
      holds.set(id, until);
      return true;
    },
    letGo: async (id, now) => {
      holds.delete(id);
      for (const [other, until] of holds) if (until <= now) holds.delete(other);
    },
    areHeld: async (now) => [...holds.values()].some((until) => until > now),
  };
}
