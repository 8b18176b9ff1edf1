import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import type { MemoryDatabase } from './database.ts';

export function memoryDeletionHolds({ blobHolds: holds }: MemoryDatabase): DeletionHolds {
  return {
    acquire: async (id, until) => void holds.set(id, until),
    renew: async (id, now, until) => {
      if ((holds.get(id) ?? now) <= now) return false;
      holds.set(id, until);
      return true;
    },
    release: async (id, now) => {
      holds.delete(id);
      for (const [other, until] of holds) if (until <= now) holds.delete(other);
    },
    anyActive: async (now) => [...holds.values()].some((until) => until > now),
  };
}
