import type { ChatFilter, ChatSession, ChatStore } from '../../ports/conversations.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';

export function memoryChats({ sessions, messages }: Tables): ChatStore {
  const of = (sessionId: string) => messages.get(sessionId) ?? [];
  const save = (session: ChatSession) => sessions.set(session.id, Object.freeze({ ...session }));
  return {
    find: async (id) => sessions.get(id),
    page: async (filter, request) =>
      cut(
        sessions
          .values()
          .filter((session) => matches(session, filter))
          .sort(pinnedFirst),
        request,
      ),
    save: async (session) => save(session),
    remove: async (id) => {
      sessions.delete(id);
      messages.delete(id);
    },
    addMessage: async (message) =>
      messages.set(message.sessionId, [...of(message.sessionId), Object.freeze({ ...message })]),
    messages: async (sessionId, limit) => {
      const all = of(sessionId);
      return all.slice(Math.max(0, all.length - limit));
    },
    messagesFrom: async (sessionId, { limit, offset }) =>
      of(sessionId).slice(offset, offset + limit),
    recentQueries: async (since, request) => {
      const questions = messages
        .values()
        .flat()
        .filter((message) => message.role === 'user' && message.createdAt >= since)
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
    leaveCollection: async (collectionId) => {
      for (const session of sessions.values())
        if (session.collectionId === collectionId) save({ ...session, collectionId: null });
    },
  };
}

const matches = (session: ChatSession, { kind, pinned, collectionId }: ChatFilter): boolean =>
  (kind === undefined || session.kind === kind) &&
  (pinned === undefined || session.pinned === pinned) &&
  (collectionId === undefined || session.collectionId === collectionId);

const pinnedFirst = (a: ChatSession, b: ChatSession): number =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || byCodePoint(b.id, a.id);
