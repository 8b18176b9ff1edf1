import { positionIn, type ObjectFilter, type ObjectStore } from '../../ports/objects.ts';
import type { Tables } from './database.ts';
import { createMatcher, isAmong, ORDERS } from './object-filter.ts';
import { byCodePoint, newestFirst } from './order.ts';

export function memoryObjects({ objects, collections }: Tables): ObjectStore {
  const matching = (filter: ObjectFilter) =>
    objects.values().filter(createMatcher(collections, filter));
  return {
    find: async (id) => objects.get(id),
    findMany: async (ids) =>
      [...new Set(ids)].flatMap((id) => {
        const object = objects.get(id);
        return object ? [object] : [];
      }),
    page: async (filter, request) => {
      const { limit, order = 'newest' } = request;
      const compare = ORDERS[order];
      const all = matching(filter)
        .map((object) => ({ object, at: positionIn(order, object) }))
        .sort((a, b) => compare(a.at, b.at));
      const start =
        'after' in request
          ? all.findIndex(({ at }) => compare(request.after, at) < 0)
          : request.offset;
      const from = start === -1 ? all.length : start;
      const items = all.slice(from, from + limit);
      const last = from + limit < all.length ? items.at(-1) : undefined;
      return {
        items: items.map(({ object }) => object),
        total: all.length,
        next: last?.at ?? null,
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
    withHash: async (contentHash, hiddenToo, collectionIds) =>
      objects
        .values()
        .filter((object) => object.contentHash === contentHash && object.deletedAt === null)
        .filter((object) => hiddenToo || !object.isHidden)
        .filter((object) => isAmong(object, collectionIds))
        .sort(newestFirst)[0],
  };
}
