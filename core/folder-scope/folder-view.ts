import type { StoredObject } from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { notFound } from '../shared/common-errors.ts';

/** The folders of a restricted unit of work, and which objects are in them. */
export interface FolderView {
  /** The unrestricted stores. */
  readonly stores: Stores;
  readonly folderIds: readonly string[];
  /** Distinguishes the idempotency keys of this binding from all others. */
  readonly keyPrefix: string;
  has(collectionId: string | null): boolean;
  /** The object if it is in one of the folders. */
  object(id: string): Promise<StoredObject | undefined>;
  /** Ends with `not_found` for an object that exists outside the folders. An object that does not exist passes. */
  requireNotOutside(id: string): Promise<void>;
  /** Called when the stored object changes. */
  forget(id: string): void;
}

export function createFolderView(
  stores: Stores,
  folderIds: readonly string[],
  keyPrefix: string,
): FolderView {
  const folders = new Set(folderIds);
  const has = (collectionId: string | null) => collectionId !== null && folders.has(collectionId);
  // Within a unit of work all changes of objects go through its stores.
  const known = new Map<string, Promise<StoredObject | undefined>>();
  const stored = (id: string): Promise<StoredObject | undefined> => {
    const found = known.get(id) ?? stores.objects.find(id);
    known.set(id, found);
    return found;
  };
  return {
    stores,
    folderIds: [...folders],
    keyPrefix,
    has,
    object: async (id) => {
      const object = await stored(id);
      return object && has(object.collectionId) ? object : undefined;
    },
    requireNotOutside: async (id) => {
      const object = await stored(id);
      if (object && !has(object.collectionId)) throw notFound();
    },
    forget: (id) => void known.delete(id),
  };
}
