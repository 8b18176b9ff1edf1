import type { ObjectFilter, ObjectStore, StoredObject } from '../../ports/objects.ts';
import type { Tables } from './database.ts';
import { byCodePoint, newestFirst } from './order.ts';

export function memoryObjects({ objects }: Tables): ObjectStore {
  const matching = (filter: ObjectFilter) => objects.values().filter((o) => matches(o, filter));
  return {
    find: async (id) => objects.get(id),
    findMany: async (ids) =>
      [...new Set(ids)].flatMap((id) => {
        const object = objects.get(id);
        return object ? [object] : [];
      }),
    page: async (filter, request) => {
      const all = matching(filter).sort(newestFirst);
      const { limit } = request;
      const start =
        'after' in request
          ? all.findIndex((object) => newestFirst(request.after, object) < 0)
          : request.offset;
      const from = start === -1 ? all.length : start;
      const items = all.slice(from, from + limit);
      const last = from + limit < all.length ? items.at(-1) : undefined;
      return {
        items,
        total: all.length,
        next: last ? { createdAt: last.createdAt, id: last.id } : null,
      };
    },
    outlines: async (filter, { limit, offset }) => {
      const all = matching(filter).sort(newestFirst);
      const items = all
        .slice(offset, offset + limit)
        .map(({ id, filename, mime, size, createdAt }) => ({
          id,
          filename,
          mime,
          size,
          createdAt,
        }));
      return { items, total: all.length };
    },
    count: async (filter) => matching(filter).length,
    save: async (object) => objects.set(object.id, Object.freeze({ ...object })),
    remove: async (id) => objects.delete(id),
    countVisible: async (collectionIds) => {
      const counts = new Map(collectionIds.map((id) => [id, 0]));
      for (const { collectionId, isHidden, deletedAt } of objects.values()) {
        const count = collectionId === null ? undefined : counts.get(collectionId);
        if (collectionId !== null && count !== undefined && !isHidden && deletedAt === null)
          counts.set(collectionId, count + 1);
      }
      return counts;
    },
    idsIn: async (collectionId, after, limit) =>
      objects
        .values()
        .filter((object) => object.collectionId === collectionId)
        .map((object) => object.id)
        .filter((id) => after === null || byCodePoint(id, after) > 0)
        .sort(byCodePoint)
        .slice(0, limit),
    withHash: async (contentHash, hiddenToo) =>
      objects
        .values()
        .filter((object) => object.contentHash === contentHash && object.deletedAt === null)
        .filter((object) => hiddenToo || !object.isHidden)
        .sort(newestFirst)[0],
  };
}

const matches = (object: StoredObject, filter: ObjectFilter): boolean =>
  (filter.visibility === 'any' || (filter.visibility === 'hidden') === object.isHidden) &&
  filter.trashed === (object.deletedAt !== null) &&
  (filter.kinds === undefined || filter.kinds.includes(object.kind)) &&
  (filter.docType === undefined || filter.docType === object.docType) &&
  (filter.collectionId === undefined || filter.collectionId === object.collectionId) &&
  (filter.textState === undefined || filter.textState === object.textState);
