import {
  foldName,
  type Collection,
  type CollectionStore,
  type ThemeStore,
} from '../../ports/library.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut } from './order.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

const byName = (a: Named, b: Named): number =>
  byCodePoint(foldName(a.name), foldName(b.name)) || byCodePoint(a.id, b.id);

export function memoryThemes({ themes }: Tables): ThemeStore {
  return {
    find: async (id) => themes.get(id),
    page: async ({ includeHidden }, request) =>
      cut(
        themes
          .values()
          .filter((theme) => includeHidden || !theme.isHidden)
          .sort(byName),
        request,
      ),
    save: async (theme) => themes.set(theme.id, Object.freeze({ ...theme })),
    remove: async (id) => themes.delete(id),
  };
}

export function memoryCollections({ collections, objects }: Tables): CollectionStore {
  const inTheme = (themeId: string | null) =>
    collections.values().filter((collection) => collection.themeId === themeId);
  const save = (collection: Collection): boolean => {
    const name = foldName(collection.name);
    const clash = inTheme(collection.themeId).some(
      (other) => other.id !== collection.id && foldName(other.name) === name,
    );
    if (!clash) collections.set(collection.id, Object.freeze({ ...collection }));
    return !clash;
  };
  return {
    find: async (id) => collections.get(id),
    named: async (themeId, name) =>
      inTheme(themeId).find((each) => foldName(each.name) === foldName(name)),
    allNamed: async (name) =>
      collections
        .values()
        .filter((each) => foldName(each.name) === foldName(name))
        .sort((a, b) => byCodePoint(a.id, b.id)),
    names: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const collection = collections.get(id);
          return collection ? [[id, collection.name] as const] : [];
        }),
      ),
    nameFor: async (objectId) =>
      collections.get(objects.get(objectId)?.collectionId ?? '')?.name ?? null,
    page: async ({ themeId }, request) =>
      cut((themeId === undefined ? collections.values() : inTheme(themeId)).sort(byName), request),
    countByTheme: async (themeIds) => new Map(themeIds.map((id) => [id, inTheme(id).length])),
    save: async (collection) => save(collection),
    remove: async (id) => collections.delete(id),
    leaveTheme: async (themeId, at) => {
      for (const collection of inTheme(themeId).sort(byName)) {
        const freed = { ...collection, themeId: null, updatedAt: at };
        let saved = save(freed);
        for (let n = 2; !saved; n++) saved = save({ ...freed, name: `${freed.name} (${n})` });
      }
    },
  };
}
