import type { UploadStore } from '../../ports/uploads.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryUploads({ uploads, uploadParts }: Tables): UploadStore {
  const partsOf = (id: string) => uploadParts.get(id) ?? [];
  return {
    find: async (id) => uploads.get(id),
    save: async (upload) => uploads.set(upload.id, Object.freeze({ ...upload })),
    remove: async (id) => {
      uploads.delete(id);
      uploadParts.delete(id);
    },
    parts: async (id) => [...partsOf(id)].sort((a, b) => a.start - b.start),
    addPart: async (id, part) => {
      if (partsOf(id).some(({ start }) => start === part.start))
        throw new Error('This part of the upload already exists.');
      uploadParts.set(id, [...partsOf(id), Object.freeze({ ...part })]);
    },
    removeParts: async (id, from) =>
      uploadParts.set(
        id,
        partsOf(id).filter(({ start }) => start < from),
      ),
    countOpen: async () => uploads.values().filter(({ state }) => state === 'open').length,
    latestDrop: async (name, since) =>
      uploads
        .values()
        .filter((each) => each.dropName === name && each.dropId && each.progressAt >= since)
        .sort((a, b) => b.progressAt - a.progressAt || byCodePoint(b.id, a.id))[0]?.dropId ??
      undefined,
    idle: async (before, limit) =>
      uploads
        .values()
        .filter(({ progressAt }) => progressAt < before)
        .sort((a, b) => a.progressAt - b.progressAt || byCodePoint(a.id, b.id))
        .slice(0, limit),
  };
}
