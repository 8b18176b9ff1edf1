import type { LinkStore } from '../../ports/links.ts';
import type { Tables } from './database.ts';

export function memoryLinks({ links }: Tables): LinkStore {
  return {
    find: async (objectId) => links.get(objectId),
    put: async (preview) => links.set(preview.objectId, Object.freeze({ ...preview })),
    remove: async (objectId) => {
      const gone = links.get(objectId);
      links.delete(objectId);
      return gone;
    },
  };
}
