import type { ObjectFilter, ObjectStore, StoredObject } from '../../ports/objects.ts';
import { outsideFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

const NO_OBJECTS = { items: [], total: 0 } as const;

/** The objects in the folders of the view. */
export function objectsOf(view: FolderView): ObjectStore {
  const { objects } = view.stores;
  /** A suggestion that leads outside names a folder that does not exist here. */
  const seen = (object: StoredObject): StoredObject =>
    object.suggestedCollectionId === null || view.has(object.suggestedCollectionId)
      ? object
      : { ...object, suggestedCollectionId: null };
  const within = (filter: ObjectFilter) => narrowed(view, filter);
  return {
    find: async (id) => {
      const object = await view.object(id);
      return object && seen(object);
    },
    findMany: async (ids) => {
      const found = await objects.findMany(ids);
      return found.filter(({ collectionId }) => view.has(collectionId)).map(seen);
    },
    page: async (filter, request) => {
      const narrow = within(filter);
      if (!narrow) return { ...NO_OBJECTS, next: null };
      const page = await objects.page(narrow, request);
      return { ...page, items: page.items.map(seen) };
    },
    outlines: async (filter, request) => {
      const narrow = within(filter);
      return narrow ? objects.outlines(narrow, request) : NO_OBJECTS;
    },
    count: async (filter) => {
      const narrow = within(filter);
      return narrow ? objects.count(narrow) : 0;
    },
    save: async (object) => {
      if (!view.has(object.collectionId)) throw outsideFolders();
      await view.requireNotOutside(object.id);
      view.forget(object.id);
      await objects.save(object);
    },
    remove: async (id) => {
      await view.requireNotOutside(id);
      view.forget(id);
      await objects.remove(id);
    },
    countVisible: async (collectionIds) => {
      const counts = await objects.countVisible(collectionIds.filter((id) => view.has(id)));
      return new Map(collectionIds.map((id) => [id, counts.get(id) ?? 0]));
    },
    idsIn: async (collectionId, after, limit) =>
      view.has(collectionId) ? objects.idsIn(collectionId, after, limit) : [],
    withHash: async (contentHash, hiddenToo, collectionIds = view.folderIds) => {
      const twin = await objects.withHash(
        contentHash,
        hiddenToo,
        collectionIds.filter((id) => view.has(id)),
      );
      return twin && seen(twin);
    },
  };
}

interface InFolders {
  readonly collectionId?: string | null;
  readonly collectionIds?: readonly string[];
  readonly hasSuggestion?: boolean;
  readonly suggestionFolders?: readonly string[];
}

/** The filter within the folders of the view; undefined if nothing can pass. One folder has its own counters. */
export function narrowed<F extends InFolders>(view: FolderView, input: F): F | undefined {
  // A suggested folder outside is not shown, so it is no suggestion.
  const filter =
    input.hasSuggestion === undefined ? input : { ...input, suggestionFolders: view.folderIds };
  const { collectionId, collectionIds = view.folderIds } = filter;
  const requested = collectionIds.filter((id) => view.has(id));
  if (collectionId !== undefined)
    return collectionId !== null && requested.includes(collectionId) ? filter : undefined;
  const [only, ...more] = requested;
  if (only === undefined) return undefined;
  return more.length === 0
    ? { ...filter, collectionId: only }
    : { ...filter, collectionIds: requested };
}
