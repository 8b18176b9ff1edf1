import type { ContentStore } from '../../ports/contents.ts';
import type { PinLockStore } from '../../ports/hidden-zone.ts';
import type { IdempotencyStore } from '../../ports/idempotency.ts';
import { boundToFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

/**
 * The hidden zone is locked in every view, whether the owner has set a PIN or not: a token that is bound to folders
 * never sees a hidden object, nor whether there is a PIN.
 */
export function pinLockOf(): PinLockStore {
  return {
    get: () => Promise.resolve({ pinHash: '', failures: 0, lockedUntil: null }),
    findToken: () => Promise.resolve(undefined),
    put: () => Promise.reject(boundToFolders()),
    remove: () => Promise.reject(boundToFolders()),
    addToken: () => Promise.reject(boundToFolders()),
    clearTokens: () => Promise.reject(boundToFolders()),
  };
}

/**
 * Bytes are stored once for the whole account, which no caller can observe. The storage quota is the account's. Without
 * a PIN it includes the bytes of hidden objects, as it does for the owner.
 */
export function contentsOf({ stores }: FolderView): ContentStore {
  const { contents } = stores;
  return {
    retain: (offered) => contents.retain(offered),
    release: (sha256) => contents.release(sha256),
    find: (sha256) => contents.find(sha256),
    retained: (hashes) => contents.retained(hashes),
    usedBytes: () => contents.usedBytes(),
    hiddenBytes: async () => ((await stores.pinLock.get()) ? contents.hiddenBytes() : 0),
  };
}

/** The records of this binding: a key that was used by another caller is a different one. */
export function idempotencyOf({ stores, keyPrefix }: FolderView): IdempotencyStore {
  const { idempotency } = stores;
  const prefixed = (key: string) => `${keyPrefix} ${key}`;
  return {
    find: async (key) => {
      const record = await idempotency.find(prefixed(key));
      return record && { ...record, key };
    },
    save: (record) => idempotency.save({ ...record, key: prefixed(record.key) }),
    remove: (key) => idempotency.remove(prefixed(key)),
    removeExpired: (before, limit) => idempotency.removeExpired(before, limit),
  };
}
