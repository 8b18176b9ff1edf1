import type { Content, ContentStore, VersionStore } from '../../ports/contents.ts';
import type { Tables } from './database.ts';
import { cut } from './order.ts';

export function memoryContents({
  contents,
  corrections,
  objects,
  versions,
  links,
}: Tables): ContentStore {
  const heldBy = (objectId: string) => [
    ...(versions.get(objectId) ?? []),
    ...[links.get(objectId)?.image ?? []].flat(),
  ];
  const correctedBytes = (counts: (objectId: string) => boolean): number =>
    corrections
      .values()
      .filter(({ objectId }) => counts(objectId))
      .reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return {
    retain: async (offered): Promise<Content> => {
      const stored = contents.get(offered.sha256) ?? { ...offered, refs: 0 };
      contents.set(offered.sha256, { ...stored, refs: stored.refs + 1 });
      return { sha256: stored.sha256, size: stored.size, blobId: stored.blobId };
    },
    release: async (sha256) => {
      const stored = contents.get(sha256);
      if (!stored) return undefined;
      if (stored.refs > 1) {
        contents.set(sha256, { ...stored, refs: stored.refs - 1 });
        return undefined;
      }
      contents.delete(sha256);
      return stored.blobId;
    },
    find: async (sha256) => {
      const stored = contents.get(sha256);
      return stored && { sha256, size: stored.size, blobId: stored.blobId };
    },
    retained: async (hashes) => new Set(hashes.filter((sha256) => contents.get(sha256))),
    usedBytes: async () =>
      contents.values().reduce((sum, { size }) => sum + size, 0) + correctedBytes(() => true),
    hiddenBytes: async () => {
      const hidden = new Map<string, number>();
      for (const { id, isHidden } of objects.values())
        for (const { sha256 } of isHidden ? heldBy(id) : [])
          hidden.set(sha256, (hidden.get(sha256) ?? 0) + 1);
      return contents
        .values()
        .filter(({ sha256, refs }) => refs === hidden.get(sha256))
        .reduce(
          (sum, { size }) => sum + size,
          correctedBytes((id) => objects.get(id)?.isHidden === true),
        );
    },
  };
}

export function memoryVersions({ versions }: Tables): VersionStore {
  const of = (objectId: string) => versions.get(objectId) ?? [];
  return {
    add: async (version) => {
      const before = of(version.objectId);
      if (before.some((each) => each.version === version.version))
        throw new Error('This version of the object already exists.');
      versions.set(version.objectId, [...before, Object.freeze({ ...version })]);
    },
    find: async (objectId, version) => of(objectId).find((each) => each.version === version),
    page: async (objectId, limit, offset) =>
      cut(
        of(objectId).toSorted((a, b) => b.version - a.version),
        { limit, offset },
      ),
    removeAll: async (objectId) => {
      const gone = of(objectId);
      versions.delete(objectId);
      return gone;
    },
  };
}
