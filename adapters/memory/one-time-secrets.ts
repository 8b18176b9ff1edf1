import {
  MAX_ONE_TIME_SECRETS,
  type OneTimeSecret,
  type OneTimeSecrets,
} from '../../ports/sign-in.ts';
import type { MemoryDatabase } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryOneTimeSecrets({ oneTimeSecrets: secrets }: MemoryDatabase): OneTimeSecrets {
  const removeWhere = (isRemoved: (secret: OneTimeSecret) => boolean) => {
    for (const secret of secrets.values()) if (isRemoved(secret)) secrets.delete(secret.digest);
  };
  return {
    add: async (secret, limit = MAX_ONE_TIME_SECRETS, limitOfOwner = limit) => {
      const { purpose, digest, ownerId } = secret;
      secrets.set(digest, Object.freeze({ ...secret }));
      const others = [...secrets.values()]
        .filter((each) => each.purpose === purpose && each.digest !== digest)
        .sort((a, b) => b.expiresAt - a.expiresAt || byCodePoint(b.digest, a.digest));
      const ofOwner = others.filter((each) => ownerId !== null && each.ownerId === ownerId);
      for (const dropped of [...others.slice(limit - 1), ...ofOwner.slice(limitOfOwner - 1)])
        secrets.delete(dropped.digest);
    },
    consume: async (digest, purpose, now) => {
      const secret = secrets.get(digest);
      if (secret?.purpose !== purpose) return undefined;
      secrets.delete(digest);
      return secret.expiresAt > now ? secret : undefined;
    },
    removeOf: async (ownerId, purpose) =>
      removeWhere((secret) => secret.ownerId === ownerId && secret.purpose === purpose),
    removeExpired: async (before) => removeWhere(({ expiresAt }) => expiresAt < before),
  };
}
