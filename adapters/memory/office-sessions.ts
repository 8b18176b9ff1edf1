import type { OfficeSession, OfficeSessionStore } from '../../ports/office.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

const under = ({ objectId, key }: Pick<OfficeSession, 'objectId' | 'key'>): string =>
  `${objectId}/${key}`;

export function memoryOfficeSessions({ officeSessions }: Tables): OfficeSessionStore {
  const put = (session: OfficeSession) =>
    officeSessions.set(under(session), Object.freeze({ ...session }));
  const open = (objectId: string) =>
    officeSessions.values().filter((each) => each.objectId === objectId && each.state === 'open');
  return {
    find: async (objectId, key) => officeSessions.get(under({ objectId, key })),
    opened: async (objectId, version) =>
      open(objectId)
        .filter(({ openedVersion }) => openedVersion === version)
        .sort((a, b) => b.createdAt - a.createdAt || byCodePoint(b.key, a.key))[0],
    save: async (session) => put(session),
    carry: async (objectId, from, to) => {
      for (const each of open(objectId)) if (each.version === from) put({ ...each, version: to });
    },
    removeAll: async (objectId) => {
      for (const each of officeSessions.values())
        if (each.objectId === objectId) officeSessions.delete(under(each));
    },
    removeUnused: async (before, limit) => {
      const unused = officeSessions.values().filter(({ usedAt }) => usedAt < before);
      for (const each of unused.slice(0, limit)) officeSessions.delete(under(each));
    },
  };
}
