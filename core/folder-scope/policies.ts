import type { Stores } from '../../ports/unit-of-work.ts';
import { contentsOf, idempotencyOf, pinLockOf } from './account.ts';
import { bulkRunsOf } from './bulk-runs.ts';
import { agentConfirmationsOf, agentUndosOf, chatsOf } from './chats.ts';
import { boundToFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';
import { collectionsOf, themesOf } from './library.ts';
import { objectsOf } from './objects.ts';
import {
  enrichmentsOf,
  imageOperationsOf,
  linksOf,
  officeSessionsOf,
  textsOf,
  thumbnailsOf,
  versionsOf,
} from './of-object.ts';
import { searchOf } from './search.ts';
import { sharesOf } from './shares.ts';
import { uploadsOf } from './uploads.ts';

type Policy<K extends keyof Stores> = (view: FolderView) => Stores[K];

/** The store itself: nothing in it depends on a folder, and no operation of a bound caller shows it. */
const same =
  <K extends keyof Stores>(name: K): Policy<K> =>
  ({ stores }) =>
    stores[name];

/** Only these methods; all others end with `forbidden`. */
const only =
  <K extends keyof Stores>(name: K, ...methods: readonly (keyof Stores[K] & string)[]): Policy<K> =>
  ({ stores }) => {
    const allowed = new Set<unknown>(methods);
    return new Proxy(stores[name], {
      get: (store, method) =>
        allowed.has(method)
          ? (...args: readonly unknown[]): unknown =>
              Reflect.apply(Reflect.get(store, method) as () => unknown, store, args)
          : () => Promise.reject(boundToFolders()),
    });
  };

/**
 * What a unit of work that is bound to folders gets in place of each store. A new store does not compile until it is
 * decided here.
 */
export const POLICIES: { readonly [K in keyof Stores]: Policy<K> } = {
  objects: objectsOf,
  versions: versionsOf,
  contents: contentsOf,
  texts: textsOf,
  enrichments: enrichmentsOf,
  links: linksOf,
  thumbnails: thumbnailsOf,
  search: searchOf,
  collections: collectionsOf,
  themes: themesOf,
  views: only('views'),
  pinLock: pinLockOf,
  chats: chatsOf,
  // Work that outlives its request looks its own token up.
  tokens: only('tokens', 'find', 'recordUse'),
  settings: only('settings', 'find'),
  tasks: same('tasks'),
  idempotency: idempotencyOf,
  usage: same('usage'),
  reorganizations: only('reorganizations', 'forgetObject'),
  bulkRuns: bulkRunsOf,
  // A bound caller imports nothing.
  importRuns: only('importRuns'),
  calendar: only('calendar'),
  notifications: only('notifications', 'add', 'setObjectVisibility', 'forgetObject'),
  // An answer needs the connected model, and notes whether it could be reached.
  integrations: only('integrations', 'find', 'put'),
  agentRoles: only('agentRoles', 'find', 'withId', 'page', 'active'),
  referrals: only('referrals'),
  shares: sharesOf,
  bots: only('bots'),
  imageOperations: imageOperationsOf,
  officeSessions: officeSessionsOf,
  blobLocations: same('blobLocations'),
  storageMigrations: only('storageMigrations'),
  agentConfirmations: agentConfirmationsOf,
  agentUndos: agentUndosOf,
  sessions: only('sessions', 'find', 'recordUse'),
  signInMethods: only('signInMethods'),
  // What a bound caller does is recorded; the log itself is the owner's.
  securityEvents: only('securityEvents', 'append', 'last', 'countSince', 'removeBefore'),
  uploads: uploadsOf,
};
