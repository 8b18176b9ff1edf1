import type { TokenStore } from '../../ports/identity.ts';
import type { Tables } from './database.ts';
import { cut, newestFirst } from './order.ts';

/** `heldElsewhere` returns whether another owner has a token with the prefix. */
export function memoryTokens(
  { tokens }: Tables,
  heldElsewhere: (prefix: string) => boolean,
): TokenStore {
  return {
    add: async (token) => {
      const taken =
        heldElsewhere(token.prefix) || tokens.values().some((each) => each.prefix === token.prefix);
      if (!taken) tokens.set(token.id, Object.freeze({ ...token }));
      return !taken;
    },
    find: async (id) => tokens.get(id),
    page: async (limit, offset) => cut(tokens.values().sort(newestFirst), { limit, offset }),
    recordUse: async (id, at, network) => {
      const token = tokens.get(id);
      if (token) tokens.set(id, { ...token, lastUsedAt: at, lastUsedNetwork: network });
    },
    remove: async (id) => {
      const found = tokens.get(id) !== undefined;
      if (found) tokens.delete(id);
      return found;
    },
  };
}
