import {
  MAX_SHARE_ACCESSES,
  type Share,
  type ShareCount,
  type ShareFilter,
  type ShareStore,
} from '../../ports/shares.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';
import type { SnapshotMap } from './snapshot-map.ts';

const COUNTED = {
  access: 'accessCount',
  upload: 'uploadCount',
  bytes: 'uploadedBytes',
} as const satisfies Record<ShareCount, keyof Share>;

/** Rows of a share are stored under the share's id and their own key. */
const under = (shareId: string, key: string): string => `${shareId}/${key}`;

export function memoryShares({ shares, shareAccesses, shareTries, objects }: Tables): ShareStore {
  const put = (share: Share) => shares.set(share.id, Object.freeze({ ...share }));
  const ofHidden = ({ kind, resourceId }: Share) =>
    kind === 'file' && objects.get(resourceId)?.isHidden === true;
  const folderOf = ({ kind, resourceId }: Share) =>
    kind === 'folder' ? resourceId : objects.get(resourceId)?.collectionId;
  const matches = (share: Share, { sight, kind, resourceId, collectionIds }: ShareFilter) =>
    (collectionIds === undefined || collectionIds.includes(folderOf(share) ?? '')) &&
    (sight === 'any' || !ofHidden(share)) &&
    (kind === undefined || share.kind === kind) &&
    (resourceId === undefined || share.resourceId === resourceId);
  const drop = (id: string) => {
    shares.delete(id);
    for (const table of [shareAccesses, shareTries] as SnapshotMap<string, { shareId: string }>[])
      for (const [key, { shareId }] of [...table.entries()]) if (shareId === id) table.delete(key);
  };
  return {
    save: async (share) => {
      put(share);
    },
    find: async (id) => shares.get(id),
    page: async (filter, request) =>
      cut(
        shares
          .values()
          .filter((share) => matches(share, filter))
          .sort(newestFirst),
        request,
      ),
    count: async (id, what, by) => {
      const share = shares.get(id);
      if (!share) return undefined;
      const field = COUNTED[what];
      put({ ...share, [field]: share[field] + by });
      return share[field] + by;
    },
    remove: async (id) => {
      const found = shares.get(id) !== undefined;
      drop(id);
      return found;
    },
    removeOf: async (kind, resourceId) => {
      for (const share of shares.values())
        if (share.kind === kind && share.resourceId === resourceId) drop(share.id);
    },
    addAccess: async (access) => {
      shareAccesses.set(under(access.shareId, access.digest), Object.freeze({ ...access }));
      const lastFirst = shareAccesses
        .values()
        .filter(({ shareId }) => shareId === access.shareId)
        .sort((a, b) => b.expiresAt - a.expiresAt || byCodePoint(b.digest, a.digest));
      for (const { shareId, digest } of lastFirst.slice(MAX_SHARE_ACCESSES))
        shareAccesses.delete(under(shareId, digest));
    },
    findAccess: async (shareId, digest) => shareAccesses.get(under(shareId, digest)),
    closeAccesses: async (shareId) => {
      for (const access of shareAccesses.values())
        if (access.shareId === shareId) shareAccesses.delete(under(shareId, access.digest));
    },
    attempts: async (shareId, visitor) => shareTries.get(under(shareId, visitor)),
    saveAttempts: async (tries) => {
      const key = under(tries.shareId, tries.visitor);
      if (tries.attemptTimes.length === 0 && tries.reservedAt === null) {
        if (shareTries.get(key)) shareTries.delete(key);
        return;
      }
      shareTries.set(key, Object.freeze({ ...tries, attemptTimes: [...tries.attemptTimes] }));
    },
    removeExpired: async (before, limit) => {
      const endedAccesses = shareAccesses.values().filter(({ expiresAt }) => expiresAt < before);
      for (const { shareId, digest } of endedAccesses.slice(0, limit))
        shareAccesses.delete(under(shareId, digest));
      const endedTries = shareTries.values().filter(({ expiresAt }) => expiresAt < before);
      for (const { shareId, visitor } of endedTries.slice(0, limit))
        shareTries.delete(under(shareId, visitor));
    },
  };
}
