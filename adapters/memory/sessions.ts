import {
  MAX_KNOWN_CLIENTS,
  MAX_SESSIONS,
  type Session,
  type SessionStore,
} from '../../ports/sign-in.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut } from './order.ts';

const lastUsedFirst = (a: Session, b: Session) =>
  b.lastUsedAt - a.lastUsedAt || byCodePoint(b.id, a.id);

export function memorySessions({ signInSessions: sessions, knownClients }: Tables): SessionStore {
  const put = (session: Session) => sessions.set(session.id, Object.freeze({ ...session }));
  const keyOf = (network: string, client: string) => JSON.stringify([network, client]);
  const removeAll = (removed: readonly Session[]) => {
    for (const { id } of removed) sessions.delete(id);
  };
  const knowClient = ({ network, client, signedInAt }: Session) => {
    knownClients.set(keyOf(network, client), signedInAt);
    const known = [...knownClients.entries()];
    if (known.length <= MAX_KNOWN_CLIENTS) return;
    const latestFirst = known.sort(([a, seenA], [b, seenB]) => seenB - seenA || byCodePoint(a, b));
    for (const [key] of latestFirst.slice(MAX_KNOWN_CLIENTS)) knownClients.delete(key);
  };
  return {
    find: async (id) => sessions.get(id),
    page: async (limit, offset) => cut(sessions.values().sort(lastUsedFirst), { limit, offset }),
    save: async (session) => {
      put(session);
      const others = sessions.values().filter(({ id }) => id !== session.id);
      removeAll(others.sort(lastUsedFirst).slice(MAX_SESSIONS - 1));
      knowClient(session);
    },
    recordUse: async (id, at, network) => {
      const session = sessions.get(id);
      if (session) put({ ...session, lastUsedAt: at, network });
    },
    remove: async (id) => {
      const found = sessions.get(id) !== undefined;
      if (found) sessions.delete(id);
      return found;
    },
    removeOthers: async (exceptId) => {
      const removed = sessions.values().filter(({ id }) => id !== exceptId);
      removeAll(removed);
      return removed.map(({ id }) => id);
    },
    removeExpired: async (before, unusedSince) => {
      const removed = sessions
        .values()
        .filter(({ expiresAt, lastUsedAt }) => expiresAt < before || lastUsedAt < unusedSince);
      removeAll(removed);
      return removed.length;
    },
    isKnownClient: async (network, client) =>
      knownClients.get(keyOf(network, client)) !== undefined,
  };
}
