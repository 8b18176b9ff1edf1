import type { BlobCopy, Place, PlacementStore } from '../../ports/placements.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

/** Where readers are sent for the bytes of a blob. */
export const placeOf = ({ placements }: Tables, blobId: string): Place =>
  placements.values().find((copy) => copy.blobId === blobId && copy.state === 'here')?.place ??
  'service';

export function memoryPlacements(tables: Tables): PlacementStore {
  const { contents, placements } = tables;
  return {
    save: async (copy) => {
      placements.set(copy.storedAs, Object.freeze({ ...copy }));
    },
    copiesOf: async (blobId) => copiesOf(tables, blobId),
    forget: async (storedAs) => {
      placements.delete(storedAs);
    },
    ownCopies: async () => placements.values().some(({ place }) => place === 'own'),
    elsewhere: async (place, after, limit) => {
      const looked = contents
        .values()
        .filter(({ sha256 }) => sha256 > (after ?? ''))
        .sort((a, b) => byCodePoint(a.sha256, b.sha256))
        .slice(0, limit);
      return {
        contents: looked
          .filter(({ blobId }) => placeOf(tables, blobId) !== place)
          .map(({ sha256, size, blobId }) => ({ sha256, size, blobId })),
        next: looked.length < limit ? null : (looked.at(-1)?.sha256 ?? null),
      };
    },
    unsettled: async (limit) =>
      placements
        .values()
        .filter(
          ({ state, storedAs, blobId }) =>
            state === 'leaving' || (state === 'coming' && storedAs !== blobId),
        )
        .sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.storedAs, b.storedAs))
        .slice(0, limit),
  };
}

export const copiesOf = ({ placements }: Tables, blobId: string): readonly BlobCopy[] =>
  placements
    .values()
    .filter((copy) => copy.blobId === blobId)
    .sort((a, b) => byCodePoint(a.storedAs, b.storedAs));
