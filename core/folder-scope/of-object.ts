import type { VersionStore } from '../../ports/contents.ts';
import type { EnrichmentStore } from '../../ports/enrichments.ts';
import type { ImageOperationStore } from '../../ports/image-operations.ts';
import type { LinkStore } from '../../ports/links.ts';
import type { OfficeSessionStore } from '../../ports/office.ts';
import type { TextStore } from '../../ports/texts.ts';
import type { ThumbnailStore } from '../../ports/thumbnails.ts';
import type { FolderView } from './folder-view.ts';

/**
 * What belongs to one object. Of an object outside the folders nothing is read, and nothing is written. Rows of a new
 * object may be written before the object itself.
 */
const ifSeen = async <T>(
  view: FolderView,
  objectId: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> => ((await view.object(objectId)) ? read() : undefined);

const unlessOutside = async <T>(
  view: FolderView,
  objectId: string,
  write: () => Promise<T>,
): Promise<T> => {
  await view.requireNotOutside(objectId);
  return write();
};

export function versionsOf(view: FolderView): VersionStore {
  const { versions } = view.stores;
  return {
    add: (version) => unlessOutside(view, version.objectId, () => versions.add(version)),
    find: (objectId, version) => ifSeen(view, objectId, () => versions.find(objectId, version)),
    page: async (objectId, limit, offset) =>
      (await ifSeen(view, objectId, () => versions.page(objectId, limit, offset))) ?? {
        items: [],
        total: 0,
      },
    removeAll: (objectId) => unlessOutside(view, objectId, () => versions.removeAll(objectId)),
  };
}

export function textsOf(view: FolderView): TextStore {
  const { texts } = view.stores;
  return {
    find: async (objectId) => (await ifSeen(view, objectId, () => texts.find(objectId))) ?? {},
    pages: async (objectIds) => {
      const seen: string[] = [];
      for (const id of new Set(objectIds)) if (await view.object(id)) seen.push(id);
      return texts.pages(seen);
    },
    put: (text) => unlessOutside(view, text.objectId, () => texts.put(text)),
    putCorrection: (correction) =>
      unlessOutside(view, correction.objectId, () => texts.putCorrection(correction)),
    removeCorrection: (objectId) =>
      unlessOutside(view, objectId, () => texts.removeCorrection(objectId)),
    remove: (objectId) => unlessOutside(view, objectId, () => texts.remove(objectId)),
  };
}

export function enrichmentsOf(view: FolderView): EnrichmentStore {
  const { enrichments, objects } = view.stores;
  return {
    find: (objectId) => ifSeen(view, objectId, () => enrichments.find(objectId)),
    findMany: async (objectIds) => {
      const seen = (await objects.findMany(objectIds))
        .filter(({ collectionId }) => view.has(collectionId))
        .map(({ id }) => id);
      return seen.length === 0 ? [] : enrichments.findMany(seen);
    },
    put: (enrichment) =>
      unlessOutside(view, enrichment.objectId, () => enrichments.put(enrichment)),
    remove: (objectId) => unlessOutside(view, objectId, () => enrichments.remove(objectId)),
  };
}

export function linksOf(view: FolderView): LinkStore {
  const { links } = view.stores;
  return {
    find: (objectId) => ifSeen(view, objectId, () => links.find(objectId)),
    put: (preview) => unlessOutside(view, preview.objectId, () => links.put(preview)),
    remove: (objectId) => unlessOutside(view, objectId, () => links.remove(objectId)),
  };
}

export function thumbnailsOf(view: FolderView): ThumbnailStore {
  const { thumbnails } = view.stores;
  return {
    find: (objectId, contentHash, maxSidePixels) =>
      ifSeen(view, objectId, () => thumbnails.find(objectId, contentHash, maxSidePixels)),
    put: (thumbnail) => unlessOutside(view, thumbnail.objectId, () => thumbnails.put(thumbnail)),
    removeAll: (objectId) => unlessOutside(view, objectId, () => thumbnails.removeAll(objectId)),
  };
}

/** Limits on waiting operations count those of all objects: they protect the account. */
export function imageOperationsOf(view: FolderView): ImageOperationStore {
  const { imageOperations } = view.stores;
  return {
    find: async (id) => {
      const found = await imageOperations.find(id);
      return found && (await view.object(found.objectId)) ? found : undefined;
    },
    next: (objectId) => ifSeen(view, objectId, () => imageOperations.next(objectId)),
    waiting: (sight) => imageOperations.waiting(sight),
    save: (operation) =>
      unlessOutside(view, operation.objectId, () => imageOperations.save(operation)),
    prune: (before, keep) => imageOperations.prune(before, keep),
    forgetObject: (objectId) =>
      unlessOutside(view, objectId, () => imageOperations.forgetObject(objectId)),
  };
}

export function officeSessionsOf(view: FolderView): OfficeSessionStore {
  const { officeSessions } = view.stores;
  return {
    find: (objectId, key) => ifSeen(view, objectId, () => officeSessions.find(objectId, key)),
    opened: (objectId, version) =>
      ifSeen(view, objectId, () => officeSessions.opened(objectId, version)),
    save: (session) => unlessOutside(view, session.objectId, () => officeSessions.save(session)),
    carry: (objectId, from, to) =>
      unlessOutside(view, objectId, () => officeSessions.carry(objectId, from, to)),
    removeAll: (objectId) =>
      unlessOutside(view, objectId, () => officeSessions.removeAll(objectId)),
    removeUnused: (before, limit) => officeSessions.removeUnused(before, limit),
  };
}
