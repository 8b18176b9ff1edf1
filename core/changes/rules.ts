import type { ChangeKind } from '../../ports/changes.ts';
import type { ChatStore } from '../../ports/conversations.ts';
import type { NotificationStore } from '../../ports/notifications.ts';
import type { Share } from '../../ports/shares.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { ChangeMarks } from './marks.ts';

/** Runs a method of a store, given as `run`, and marks its effect. */
type Rule<S, M extends keyof S> = S[M] extends (...args: infer A) => infer R
  ? (marks: ChangeMarks, store: S, run: () => R, ...args: A) => R
  : never;

/** Methods without a rule are reads, or change nothing that an application shows. */
type Rules<S> = { readonly [M in keyof S]?: Rule<S, M> };

const changes =
  (kind: ChangeKind) =>
  <R>(marks: ChangeMarks, _store: unknown, run: () => R): R => {
    marks.mark(kind);
    return run();
  };

/** The result says whether anything has changed. */
const changesIfTrue =
  (kind: ChangeKind) =>
  async <R>(marks: ChangeMarks, _store: unknown, run: () => Promise<R>): Promise<R> => {
    const result = await run();
    if (result) marks.mark(kind);
    return result;
  };

/** The list of credentials changed, and those of open streams are checked. */
const changesAccess = <R>(marks: ChangeMarks, _store: unknown, run: () => R): R => {
  marks.mark('access');
  marks.markAccess();
  return run();
};

const changesLock = <R>(marks: ChangeMarks, _store: unknown, run: () => R): R => {
  marks.markAccess();
  return run();
};

/** A conversation that holds a hidden object is hidden itself. */
const changesChat = async <R>(
  marks: ChangeMarks,
  store: ChatStore,
  run: () => Promise<R>,
  sessionId: string,
): Promise<R> => {
  const before = await store.find(sessionId);
  marks.markChat(sessionId, !before || (await store.holdsHidden(sessionId)));
  return run();
};

/** The versions say which notifications have changed. */
const changesNotifications = async <R>(
  marks: ChangeMarks,
  store: NotificationStore,
  run: () => Promise<R>,
): Promise<R> => {
  const versions = () => Promise.all([store.version('visible'), store.version('any')]);
  const [visible, any] = await versions();
  const result = await run();
  const [visibleAfter, anyAfter] = await versions();
  if (visibleAfter !== visible) marks.mark('notifications');
  else if (anyAfter !== any) marks.mark('notifications', true);
  return result;
};

/**
 * What a change of each store means for an owner's applications. `null`: nothing that is not marked with another store of
 * the same unit of work. A new store does not compile until it is decided here.
 */
export const CHANGE_RULES: { readonly [K in keyof Stores]: Rules<Stores[K]> | null } = {
  objects: {
    // Hiding an object changes what every application shows.
    save: async (marks, store, run, object) => {
      const before = object.isHidden ? await store.find(object.id) : undefined;
      marks.markObject(object.id, object.isHidden && (before?.isHidden ?? true));
      return run();
    },
    remove: async (marks, store, run, id) => {
      const before = await store.find(id);
      if (before) marks.markObject(id, before.isHidden);
      return run();
    },
  },
  collections: {
    save: changesIfTrue('folders'),
    remove: changes('folders'),
    // A hidden theme without folders leaves no trace.
    leaveTheme: async (marks, store, run, themeId) => {
      const counts = await store.countByTheme([themeId]);
      if ((counts.get(themeId) ?? 0) > 0) marks.mark('folders');
      return run();
    },
  },
  themes: {
    save: async (marks, store, run, theme) => {
      const before = theme.isHidden ? await store.find(theme.id) : undefined;
      marks.mark('themes', theme.isHidden && (before?.isHidden ?? true));
      return run();
    },
    remove: async (marks, store, run, id) => {
      const before = await store.find(id);
      if (before) marks.mark('themes', before.isHidden);
      return run();
    },
  },
  chats: {
    save: (marks, store, run, { id }) => changesChat(marks, store, run, id),
    remove: changesChat,
    addMessage: (marks, store, run, { sessionId }) => changesChat(marks, store, run, sessionId),
    // An object is hidden or shown, which every application sees.
    setObjectVisibility: changes('chats'),
  },
  // A step that was undone or redone is shown as such, where its conversation is shown.
  agentUndos: {
    save: async (marks, store, run, { id, sessionId, undoneAt }) => {
      // The undo of a new step is saved with a change of its own, and shown with the answer.
      const before = undoneAt === null ? await store.find(id) : undefined;
      if (undoneAt !== null || before) marks.markChat(sessionId, true);
      return run();
    },
  },
  // One that is decided on is shown no more, before the reply that follows.
  agentConfirmations: {
    remove: async (marks, store, run, id) => {
      const before = await store.find(id);
      if (before) marks.markChat(before.sessionId, true);
      return run();
    },
  },
  notifications: {
    add: (marks, _store, run, { isHidden }) => {
      marks.mark('notifications', isHidden);
      return run();
    },
    markRead: changesNotifications,
    remove: changesNotifications,
    setObjectVisibility: changesNotifications,
    forgetObject: changesNotifications,
  },
  imageOperations: {
    save: (marks, _store, run, { objectId }) => {
      marks.markOf(objectId, 'tasks');
      return run();
    },
  },
  reorganizations: { save: changes('tasks') },
  storageMigrations: { save: changes('tasks') },
  // Its progress is polled.
  importRuns: {
    save: async (marks, store, run, { id, state, isConcealed }) => {
      if ((await store.find(id))?.state !== state) marks.mark('tasks', isConcealed);
      return run();
    },
    remove: async (marks, store, run, id) => {
      const before = await store.find(id);
      if (before) marks.mark('tasks', before.isConcealed);
      return run();
    },
  },
  shares: {
    save: (marks, _store, run, share) => {
      markShare(marks, share);
      return run();
    },
    count: async (marks, store, run, id) => {
      const share = await store.find(id);
      if (share) markShare(marks, share);
      return run();
    },
    remove: async (marks, store, run, id) => {
      const share = await store.find(id);
      if (share) markShare(marks, share);
      return run();
    },
    removeOf: (marks, _store, run, kind, resourceId) => {
      markShare(marks, { kind, resourceId });
      return run();
    },
  },
  calendar: {
    save: changes('calendar'),
    remove: changes('calendar'),
    saveException: changes('calendar'),
    removeException: changes('calendar'),
    removeExceptions: changes('calendar'),
    putFeed: changes('calendar'),
  },
  settings: { put: changes('settings') },
  views: { save: changes('views'), remove: changesIfTrue('views') },
  integrations: { put: changes('integrations'), remove: changesIfTrue('integrations') },
  agentRoles: {
    add: changesIfTrue('agents'),
    replace: changesIfTrue('agents'),
    remove: changesIfTrue('agents'),
    activate: changes('agents'),
  },
  bots: {
    add: changesIfTrue('bots'),
    save: changes('bots'),
    remove: changesIfTrue('bots'),
    saveChats: changes('bots'),
    dropChats: changes('bots'),
  },
  tokens: { add: changesAccess, remove: changesAccess },
  sessions: { save: changesAccess, remove: changesAccess, removeOthers: changesAccess },
  signInMethods: {
    setPassword: changes('access'),
    linkOidc: changesIfTrue('access'),
    unlinkOidc: changesIfTrue('access'),
    addPasskey: changesIfTrue('access'),
    savePasskey: changes('access'),
    removePasskey: changesIfTrue('access'),
  },
  pinLock: { put: changesLock, remove: changesLock, clearTokens: changesLock },
  // Objects of a run are marked as they change; its progress is polled.
  bulkRuns: null,
  uploads: null,
  versions: null,
  contents: null,
  texts: null,
  enrichments: null,
  links: null,
  thumbnails: null,
  search: null,
  tasks: null,
  idempotency: null,
  usage: null,
  referrals: null,
  officeSessions: null,
  blobLocations: null,
  securityEvents: null,
};

/** A share of an object is shown where the object is. */
const markShare = (
  marks: ChangeMarks,
  { kind, resourceId }: Pick<Share, 'kind' | 'resourceId'>,
): void => {
  if (kind === 'folder') marks.mark('shares');
  else marks.markOf(resourceId, 'shares');
};
