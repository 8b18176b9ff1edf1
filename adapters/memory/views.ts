import type { ViewStore } from '../../ports/views.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryViews({ views }: Tables): ViewStore {
  return {
    find: async (id) => views.get(id),
    list: async (limit) =>
      views
        .values()
        .sort(
          (a, b) => a.position - b.position || a.createdAt - b.createdAt || byCodePoint(a.id, b.id),
        )
        .slice(0, limit),
    save: async (view) => views.set(view.id, Object.freeze(structuredClone(view))),
    remove: async (id) => {
      const found = views.get(id) !== undefined;
      if (found) views.delete(id);
      return found;
    },
  };
}
