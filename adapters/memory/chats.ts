import type {
  ChatFilter,
  ChatSession,
  ChatStore,
  RecentQueryFilter,
} from '../../ports/conversations.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';

export function memoryChats({ sessions, messages, chatObjects }: Tables): ChatStore {
  const of = (sessionId: string) => messages.get(sessionId) ?? [];
  const save = (session: ChatSession) => sessions.set(session.id, Object.freeze({ ...session }));
  const objectsOf = (sessionId: string) => chatObjects.get(sessionId) ?? new Map<string, boolean>();
  const holdsHidden = (sessionId: string) => [...objectsOf(sessionId).values()].includes(true);
  const isListed = (
    sessionId: string,
    { boundWithin, visibleOnly = false }: RecentQueryFilter,
  ): boolean =>
    isBoundWithin(sessions.get(sessionId), boundWithin) && !(visibleOnly && holdsHidden(sessionId));
  return {
    find: async (id) => sessions.get(id),
    page: async (filter, request) =>
      cut(
        sessions
          .values()
          .filter((session) => matches(session, filter) && isListed(session.id, filter))
          .filter(({ id }) => filter.holding === undefined || objectsOf(id).has(filter.holding))
          .sort(pinnedFirst),
        request,
      ),
    save: async (session) => save(session),
    remove: async (id) => {
      sessions.delete(id);
      messages.delete(id);
      chatObjects.delete(id);
    },
    addMessage: async (message) =>
      messages.set(message.sessionId, [...of(message.sessionId), Object.freeze({ ...message })]),
    messages: async (sessionId, limit) => {
      const all = of(sessionId);
      return all.slice(Math.max(0, all.length - limit));
    },
    messagesFrom: async (sessionId, { limit, offset }) =>
      of(sessionId).slice(offset, offset + limit),
    recentQueries: async (since, request, filter = {}) => {
      const questions = messages
        .values()
        .flat()
        .filter((message) => message.role === 'user' && message.createdAt >= since)
        .filter(({ sessionId }) => isListed(sessionId, filter))
        .sort(newestFirst);
      const { items, total } = cut(questions, request);
      return {
        items: items.map(({ content, sessionId, createdAt }) => ({
          query: content,
          sessionId,
          createdAt,
          title: sessions.get(sessionId)?.title ?? '',
        })),
        total,
      };
    },
    addObjects: async (sessionId, objects) => {
      const more = objects.map(({ objectId, isHidden }) => [objectId, isHidden] as const);
      chatObjects.set(sessionId, new Map([...objectsOf(sessionId), ...more]));
    },
    objects: async (sessionId, { limit, offset }) =>
      [...objectsOf(sessionId)]
        .map(([objectId, isHidden]) => ({ objectId, isHidden }))
        .sort((a, b) => byCodePoint(a.objectId, b.objectId))
        .slice(offset, offset + limit),
    setObjectVisibility: async (objectId, isHidden) => {
      for (const [sessionId, objects] of chatObjects.entries())
        if (objects.has(objectId))
          chatObjects.set(sessionId, new Map([...objects, [objectId, isHidden]]));
    },
    holdsHidden: async (sessionId) => holdsHidden(sessionId),
    leaveCollection: async (collectionId) => {
      for (const session of sessions.values())
        if (session.collectionId === collectionId) save({ ...session, collectionId: null });
    },
  };
}

const isBoundWithin = (
  session: ChatSession | undefined,
  folders: readonly string[] | undefined,
): boolean =>
  folders === undefined ||
  (!!session?.boundTo?.every((id) => folders.includes(id)) &&
    (session.collectionId === null || folders.includes(session.collectionId)));

const matches = (session: ChatSession, { kind, pinned, collectionId }: ChatFilter): boolean =>
  (kind === undefined || session.kind === kind) &&
  (pinned === undefined || session.pinned === pinned) &&
  (collectionId === undefined || session.collectionId === collectionId);

const pinnedFirst = (a: ChatSession, b: ChatSession): number =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || byCodePoint(b.id, a.id);
