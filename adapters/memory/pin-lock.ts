import { MAX_UNLOCK_TOKENS, type PinLockStore } from '../../ports/hidden-zone.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryPinLock({ zoneLock, unlockTokens }: Tables): PinLockStore {
  const clear = () => {
    for (const { digest } of unlockTokens.values()) unlockTokens.delete(digest);
  };
  return {
    get: async () => zoneLock.get('lock'),
    put: async (lock) => zoneLock.set('lock', Object.freeze({ ...lock })),
    remove: async () => {
      zoneLock.delete('lock');
      clear();
    },
    addToken: async (token) => {
      unlockTokens.set(token.digest, Object.freeze({ ...token }));
      const lastFirst = unlockTokens
        .values()
        .sort((a, b) => b.expiresAt - a.expiresAt || byCodePoint(b.digest, a.digest));
      for (const { digest } of lastFirst.slice(MAX_UNLOCK_TOKENS)) unlockTokens.delete(digest);
    },
    findToken: async (digest) => unlockTokens.get(digest),
    clearTokens: async () => clear(),
  };
}
