import { MAX_THUMBNAILS, type ThumbnailStore } from '../../ports/thumbnails.ts';
import type { Tables } from './database.ts';

export function memoryThumbnails({ thumbnails }: Tables): ThumbnailStore {
  const of = (objectId: string) => thumbnails.get(objectId) ?? [];
  return {
    find: async (objectId, contentHash, longestSide) =>
      of(objectId).find(
        (each) => each.maxSidePixels === longestSide && each.contentHash === contentHash,
      ),
    put: async (thumbnail) => {
      const { objectId, maxSidePixels, blobId } = thumbnail;
      const before = of(objectId);
      const others = before
        .filter((each) => each.maxSidePixels !== maxSidePixels)
        .sort((a, b) => b.createdAt - a.createdAt || b.maxSidePixels - a.maxSidePixels);
      const stored = [Object.freeze({ ...thumbnail }), ...others.slice(0, MAX_THUMBNAILS - 1)];
      thumbnails.set(objectId, stored);
      return before
        .filter((each) => !stored.includes(each) && each.blobId !== blobId)
        .map((each) => each.blobId);
    },
    removeAll: async (objectId) => {
      const gone = of(objectId).map(({ blobId }) => blobId);
      thumbnails.delete(objectId);
      return gone;
    },
  };
}
