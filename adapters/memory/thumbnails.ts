import { MAX_THUMBNAILS, type ThumbnailStore } from '../../ports/thumbnails.ts';
import type { Tables } from './database.ts';

export function memoryThumbnails({ thumbnails }: Tables): ThumbnailStore {
  const of = (objectId: string) => thumbnails.get(objectId) ?? [];
  return {
    find: async (objectId, contentHash, longestSide) =>
      of(objectId).find(
        (each) => each.longestSide === longestSide && each.contentHash === contentHash,
      ),
    put: async (thumbnail) => {
      const { objectId, longestSide, blobId } = thumbnail;
      const before = of(objectId);
      const others = before
        .filter((each) => each.longestSide !== longestSide)
        .sort((a, b) => b.createdAt - a.createdAt || b.longestSide - a.longestSide);
      const kept = [Object.freeze({ ...thumbnail }), ...others.slice(0, MAX_THUMBNAILS - 1)];
      thumbnails.set(objectId, kept);
      return before
        .filter((each) => !kept.includes(each) && each.blobId !== blobId)
        .map((each) => each.blobId);
    },
    removeAll: async (objectId) => {
      const gone = of(objectId).map(({ blobId }) => blobId);
      thumbnails.delete(objectId);
      return gone;
    },
  };
}
