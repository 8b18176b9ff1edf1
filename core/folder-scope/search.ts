import { objectNumberOf, type SearchIndex, type SearchVisibility } from '../../ports/search.ts';
import { outsideFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';
import { narrowed } from './objects.ts';

/**
 * The index of the objects in the folders of the view. Candidates, statistics and therefore scores, order and snippets
 * depend on these objects only. Passage numbers come from `occurrences` and `admitted`, so methods that take numbers
 * need no check.
 */
export function searchOf(view: FolderView): SearchIndex {
  const { search } = view.stores;
  const inFolders = new Map<SearchVisibility, Promise<ReadonlySet<number>>>();
  const numbers = (visibility: SearchVisibility): Promise<ReadonlySet<number>> => {
    const found =
      inFolders.get(visibility) ?? search.admitted({ visibility, collectionIds: view.folderIds });
    inFolders.set(visibility, found);
    return found;
  };
  const requireNotOutside = async (objectId: string) => {
    await view.requireNotOutside(objectId);
    inFolders.clear();
  };
  return {
    place: async (entry) => {
      if (!view.has(entry.collectionId)) throw outsideFolders();
      await requireNotOutside(entry.objectId);
      await search.place(entry);
    },
    rename: async (objectId, zone, head) => {
      await requireNotOutside(objectId);
      await search.rename(objectId, zone, head);
    },
    put: async (objectId, passages) => {
      await requireNotOutside(objectId);
      await search.put(objectId, passages);
    },
    drop: async (objectId) => {
      await requireNotOutside(objectId);
      await search.drop(objectId);
    },
    statistics: (visibility, collectionIds = view.folderIds) =>
      search.statistics(
        visibility,
        collectionIds.filter((id) => view.has(id)),
      ),
    occurrences: async (atom, visibility) => {
      const found = await search.occurrences(atom, visibility);
      if (found.length === 0) return found;
      const seen = await numbers(visibility);
      return found.filter((number) => seen.has(objectNumberOf(number)));
    },
    admitted: async (filter) => {
      const narrow = narrowed(view, filter);
      return narrow ? search.admitted(narrow) : new Set();
    },
    inOrder: (objects, order, request) => search.inOrder(objects, order, request),
    terms: (passages) => search.terms(passages),
    texts: (passages) => search.texts(passages),
    identify: (objects) => search.identify(objects),
    passagesOf: async (objectId, ord, limit) =>
      (await view.object(objectId)) ? search.passagesOf(objectId, ord, limit) : [],
  };
}
