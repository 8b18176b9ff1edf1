import type { BlobCopy, CopyLocation, BlobLocationStore } from '../../ports/blob-locations.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

/** The copy from which a blob is read. */
export const locationOf = ({ placements }: Tables, blobId: string): CopyLocation =>
  placements.values().find((copy) => copy.blobId === blobId && copy.state === 'current')
    ?.location ?? 'service';

export function memoryBlobLocations(tables: Tables): BlobLocationStore {
  const { contents, links, objects, placements, versions } = tables;
  return {
    save: async (copy) => {
      placements.set(copy.copyId, Object.freeze({ ...copy }));
    },
    copiesOf: async (blobId) => copiesOf(tables, blobId),
    forget: async (storedAs) => {
      placements.delete(storedAs);
    },
    hasOwnerCopies: async () => placements.values().some(({ location }) => location === 'own'),
    hasCopies: async (place) => placements.values().some((copy) => copy.location === place),
    relocate: async (from, to) => {
      for (const copy of placements.values())
        if (copy.location === from)
          placements.set(copy.copyId, Object.freeze({ ...copy, location: to }));
    },
    contentsIn: async (place, limit) =>
      contents
        .values()
        .filter(({ blobId }) => locationOf(tables, blobId) === place)
        .sort((a, b) => byCodePoint(a.sha256, b.sha256))
        .slice(0, limit)
        .map(({ sha256, size, blobId }) => ({ sha256, size, blobId })),
    misplacedContents: async (place, after, limit) => {
      const looked = contents
        .values()
        .filter(({ sha256 }) => sha256 > (after ?? ''))
        .sort((a, b) => byCodePoint(a.sha256, b.sha256))
        .slice(0, limit);
      return {
        contents: looked
          .filter(({ blobId }) => locationOf(tables, blobId) !== place)
          .map(({ sha256, size, blobId }) => ({ sha256, size, blobId })),
        next: looked.length < limit ? null : (looked.at(-1)?.sha256 ?? null),
      };
    },
    misplacedVisibleContents: async (place, after, limit) => {
      const looked = objects
        .values()
        .filter(({ id }) => id > (after ?? ''))
        .sort((a, b) => byCodePoint(a.id, b.id))
        .slice(0, limit);
      const held = looked
        .filter(({ isHidden }) => !isHidden)
        .flatMap(({ id }) => [
          ...(versions.get(id) ?? []).map(({ sha256 }) => sha256),
          ...[links.get(id)?.image?.sha256 ?? []].flat(),
        ]);
      return {
        contents: [...new Set(held)]
          .sort(byCodePoint)
          .flatMap((sha256) => contents.get(sha256) ?? [])
          .filter(({ blobId }) => locationOf(tables, blobId) !== place)
          .map(({ sha256, size, blobId }) => ({ sha256, size, blobId })),
        next: looked.length < limit ? null : (looked.at(-1)?.id ?? null),
      };
    },
    incompleteCopies: async (limit) =>
      placements
        .values()
        .filter(
          ({ state, copyId, blobId }) =>
            state === 'deleting' || (state === 'writing' && copyId !== blobId),
        )
        .sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.copyId, b.copyId))
        .slice(0, limit),
  };
}

export const copiesOf = ({ placements }: Tables, blobId: string): readonly BlobCopy[] =>
  placements
    .values()
    .filter((copy) => copy.blobId === blobId)
    .sort((a, b) => byCodePoint(a.copyId, b.copyId));
