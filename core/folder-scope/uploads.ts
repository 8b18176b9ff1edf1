import type { UploadStore } from '../../ports/uploads.ts';
import { notFound } from '../shared/common-errors.ts';
import { outsideFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

/** Uploads into the folders of the view. The limit on open ones counts all: it protects the account. */
export function uploadsOf(view: FolderView): UploadStore {
  const { uploads } = view.stores;
  const seen = async (id: string) => {
    const upload = await uploads.find(id);
    return upload && view.has(upload.collectionId) ? upload : undefined;
  };
  const ifSeen = async <T>(id: string, write: () => Promise<T>): Promise<T> => {
    if (!(await seen(id))) throw notFound();
    return write();
  };
  return {
    find: seen,
    save: async (upload) => {
      const stored = await uploads.find(upload.id);
      if (stored && !view.has(stored.collectionId)) throw notFound();
      if (!view.has(upload.collectionId)) throw outsideFolders();
      return uploads.save(upload);
    },
    remove: (id) => ifSeen(id, () => uploads.remove(id)),
    parts: async (id) => ((await seen(id)) ? uploads.parts(id) : []),
    addPart: (id, part) => ifSeen(id, () => uploads.addPart(id, part)),
    removeParts: (id, from) => ifSeen(id, () => uploads.removeParts(id, from)),
    countOpen: () => uploads.countOpen(),
    // Drops make folders, which is not for a caller that is bound to some.
    latestDrop: () => Promise.resolve(undefined),
    idle: async (before, limit) =>
      (await uploads.idle(before, limit)).filter(({ collectionId }) => view.has(collectionId)),
  };
}
