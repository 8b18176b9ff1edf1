import type { AgentConfirmationStore } from '../../ports/agent-confirmations.ts';
import type { AgentUndoStore } from '../../ports/agent-undos.ts';
import type { ChatSession, ChatStore } from '../../ports/conversations.ts';
import { notFound } from '../shared/common-errors.ts';
import { boundToFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

const sessionIn = async (view: FolderView, id: string): Promise<ChatSession | undefined> => {
  const session = await view.stores.chats.find(id);
  if (!session?.boundTo?.every((folder) => view.has(folder))) return undefined;
  return session.collectionId === null || view.has(session.collectionId) ? session : undefined;
};

/** The sessions that were only ever used by callers bound to these folders or some of them. */
export function chatsOf(view: FolderView): ChatStore {
  const { chats } = view.stores;
  const boundWithin = view.folderIds;
  const requireSession = async (id: string) => {
    if (!(await sessionIn(view, id))) throw notFound();
  };
  return {
    find: (id) => sessionIn(view, id),
    page: (filter, request) => chats.page({ ...filter, boundWithin }, request),
    save: async (session) => {
      const { id, collectionId } = session;
      if ((await chats.find(id)) && !(await sessionIn(view, id))) throw notFound();
      if (collectionId !== null && !view.has(collectionId)) throw notFound();
      // Text of any of the folders may be in it from now on.
      await chats.save({ ...session, boundTo: boundWithin });
    },
    remove: async (id) => {
      if (await sessionIn(view, id)) await chats.remove(id);
    },
    addMessage: async (message) => {
      await requireSession(message.sessionId);
      await chats.addMessage(message);
    },
    messages: async (sessionId, limit) =>
      (await sessionIn(view, sessionId)) ? chats.messages(sessionId, limit) : [],
    messagesFrom: async (sessionId, request) =>
      (await sessionIn(view, sessionId)) ? chats.messagesFrom(sessionId, request) : [],
    recentQueries: (since, request, filter) =>
      chats.recentQueries(since, request, { ...filter, boundWithin }),
    addObjects: async (sessionId, objects) => {
      await requireSession(sessionId);
      await chats.addObjects(sessionId, objects);
    },
    objects: async (sessionId, request) =>
      (await sessionIn(view, sessionId)) ? chats.objects(sessionId, request) : [],
    // An object that this caller hides may be in sessions that this caller can not see.
    setObjectVisibility: async (objectId, isHidden) => {
      await view.requireNotOutside(objectId);
      await chats.setObjectVisibility(objectId, isHidden);
    },
    holdsHidden: async (sessionId) =>
      (await sessionIn(view, sessionId)) !== undefined && chats.holdsHidden(sessionId),
    leaveCollection: () => Promise.reject(boundToFolders()),
  };
}

/** The confirmations of runs in these sessions. How many are stored is limited for the account. */
export function agentConfirmationsOf(view: FolderView): AgentConfirmationStore {
  const { agentConfirmations } = view.stores;
  const find: AgentConfirmationStore['find'] = async (id) => {
    const found = await agentConfirmations.find(id);
    return found && (await sessionIn(view, found.sessionId)) ? found : undefined;
  };
  return {
    find,
    ofSession: async (sessionId) =>
      (await sessionIn(view, sessionId)) ? agentConfirmations.ofSession(sessionId) : [],
    add: async (confirmation) => {
      if (!(await sessionIn(view, confirmation.sessionId))) throw notFound();
      await agentConfirmations.add(confirmation);
    },
    remove: async (id) => ((await find(id)) ? agentConfirmations.remove(id) : false),
    removeExpired: (now) => agentConfirmations.removeExpired(now),
    retain: (newest) => agentConfirmations.retain(newest),
  };
}

/** What the agent changed in these sessions. */
export function agentUndosOf(view: FolderView): AgentUndoStore {
  const { agentUndos } = view.stores;
  const isIn = async (sessionId: string) => (await sessionIn(view, sessionId)) !== undefined;
  return {
    find: async (id) => {
      const found = await agentUndos.find(id);
      return found && (await isIn(found.sessionId)) ? found : undefined;
    },
    save: async (undo) => {
      const stored = await agentUndos.find(undo.id);
      if (!(await isIn(undo.sessionId)) || (stored && !(await isIn(stored.sessionId))))
        throw notFound();
      await agentUndos.save(undo);
    },
    statesOf: async (sessionId) => ((await isIn(sessionId)) ? agentUndos.statesOf(sessionId) : []),
    removeOf: async (sessionId) => {
      if (await isIn(sessionId)) await agentUndos.removeOf(sessionId);
    },
    removeExpired: (before, limit) => agentUndos.removeExpired(before, limit),
  };
}
