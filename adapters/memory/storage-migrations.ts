import type { StorageLocation } from '../../ports/blob-locations.ts';
import type { StorageMigrationStore } from '../../ports/storage-migrations.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';
import { locationOf } from './blob-locations.ts';

export function memoryStorageMigrations(tables: Tables): StorageMigrationStore {
  const { contents, links, moveFailures, objects, storageMoves, versions } = tables;
  const contentsOf = (objectId: string) =>
    [...(versions.get(objectId) ?? []), ...[links.get(objectId)?.image ?? []].flat()].flatMap(
      ({ sha256 }) => contents.get(sha256) ?? [],
    );
  return {
    find: async () => storageMoves.get('latest'),
    save: async (move) => {
      storageMoves.set('latest', Object.freeze({ ...move }));
    },
    failures: async (blobIds) => [...new Set(blobIds)].flatMap((id) => moveFailures.get(id) ?? []),
    noteFailure: async (failure) => {
      moveFailures.set(failure.blobId, Object.freeze({ ...failure }));
    },
    forgetFailure: async (blobId) => {
      moveFailures.delete(blobId);
    },
    clearFailures: async () => {
      for (const { blobId } of moveFailures.values()) moveFailures.delete(blobId);
    },
    failureCounts: async () => {
      const all = moveFailures.values();
      const final = all.filter((each) => each.isFinal).length;
      return { open: all.length - final, final };
    },
    lastFailure: async () =>
      moveFailures
        .values()
        .filter(({ isFinal, reason }) => isFinal && reason !== '')
        .sort((a, b) => byCodePoint(b.blobId, a.blobId))[0],
    count: async (place: StorageLocation, { hidden }, after, limit) => {
      const looked = objects
        .values()
        .filter(({ id }) => id > (after ?? ''))
        .sort((a, b) => byCodePoint(a.id, b.id))
        .slice(0, limit);
      const held = looked
        .filter(({ isHidden }) => hidden || !isHidden)
        .map(({ id }) => contentsOf(id))
        .filter(({ length }) => length > 0);
      const away = held
        .map((all) => all.filter(({ blobId }) => locationOf(tables, blobId) !== place))
        .filter(({ length }) => length > 0);
      const failed = away.filter((all) =>
        all.some(({ blobId }) => moveFailures.get(blobId)?.isFinal === true),
      );
      return {
        total: held.length,
        elsewhere: away.length,
        failed: failed.length,
        next: looked.length < limit ? null : (looked.at(-1)?.id ?? null),
      };
    },
  };
}
