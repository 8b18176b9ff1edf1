import type { Share, ShareStore } from '../../ports/shares.ts';
import { notFound } from '../shared/common-errors.ts';
import type { FolderView } from './folder-view.ts';

/** The shares of the folders of the view, and of objects in them. */
export function sharesOf(view: FolderView): ShareStore {
  const { shares } = view.stores;
  const isSeen = async ({ kind, resourceId }: Share): Promise<boolean> =>
    kind === 'folder' ? view.has(resourceId) : (await view.object(resourceId)) !== undefined;
  const find: ShareStore['find'] = async (id) => {
    const share = await shares.find(id);
    return share && (await isSeen(share)) ? share : undefined;
  };
  const requireShare = async (id: string) => {
    if (!(await find(id))) throw notFound();
  };
  return {
    find,
    save: async (share) => {
      const stored = await shares.find(share.id);
      if (!(await isSeen(share)) || (stored && !(await isSeen(stored)))) throw notFound();
      await shares.save(share);
    },
    page: ({ collectionIds = view.folderIds, ...filter }, request) =>
      shares.page(
        { ...filter, collectionIds: collectionIds.filter((id) => view.has(id)) },
        request,
      ),
    count: async (id, what, by) => ((await find(id)) ? shares.count(id, what, by) : undefined),
    remove: async (id) => ((await find(id)) ? shares.remove(id) : false),
    removeOf: async (kind, resourceId) => {
      if (kind === 'file') await view.requireNotOutside(resourceId);
      else if (!view.has(resourceId)) throw notFound();
      await shares.removeOf(kind, resourceId);
    },
    addAccess: async (access) => {
      await requireShare(access.shareId);
      await shares.addAccess(access);
    },
    findAccess: async (shareId, digest) =>
      (await find(shareId)) ? shares.findAccess(shareId, digest) : undefined,
    closeAccesses: async (shareId) => {
      await requireShare(shareId);
      await shares.closeAccesses(shareId);
    },
    attempts: async (shareId, visitor) =>
      (await find(shareId)) ? shares.attempts(shareId, visitor) : undefined,
    saveAttempts: async (attempts) => {
      await requireShare(attempts.shareId);
      await shares.saveAttempts(attempts);
    },
    removeExpired: (before, limit) => shares.removeExpired(before, limit),
  };
}
