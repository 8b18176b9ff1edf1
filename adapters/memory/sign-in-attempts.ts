import type { SignInAttemptRecord, SignInAttempts } from '../../ports/sign-in.ts';
import type { MemoryDatabase } from './database.ts';

export function memorySignInAttempts({ signInAttempts: records }: MemoryDatabase): SignInAttempts {
  const keyOf = (account: string, network: string) => JSON.stringify([account, network]);
  const keysOf = (account: string, network: string) => ({
    own: keyOf(account, network),
    all: keyOf(account, ''),
  });
  const pairOf = (keys: { readonly own: string; readonly all: string }) => ({
    own: records.get(keys.own),
    all: records.get(keys.all),
  });
  const save = (key: string, record: SignInAttemptRecord | undefined) => {
    if (record && (record.attemptTimes.length > 0 || record.reservedAt !== null))
      records.set(
        key,
        Object.freeze({ ...record, attemptTimes: Object.freeze([...record.attemptTimes]) }),
      );
    else records.delete(key);
  };
  return {
    update: async (account, network, change) => {
      const keys = keysOf(account, network);
      const { next, result } = change(pairOf(keys));
      if (next) {
        save(keys.own, next.own);
        save(keys.all, next.all);
      }
      return result;
    },
    read: async (account, network) => pairOf(keysOf(account, network)),
    removeExpired: async (before, limit) => {
      const expired = [...records].filter(([, { expiresAt }]) => expiresAt < before);
      for (const [key] of expired.sort(([, a], [, b]) => a.expiresAt - b.expiresAt).slice(0, limit))
        records.delete(key);
    },
  };
}
