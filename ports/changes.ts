/** What an owner's applications show and have to load again, in the order of events. */
export const CHANGE_KINDS = [
  'objects',
  'folders',
  'themes',
  'chats',
  'notifications',
  'tasks',
  'shares',
  'calendar',
  'settings',
  'views',
  'integrations',
  'agents',
  'bots',
  'access',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** `visible`: without changes of hidden objects. `any`: with them. */
export type ChangeVisibility = 'visible' | 'any';

/** The effect of one committed unit of work on what an owner's applications show. */
export interface OwnerChange {
  /** Kinds that changed for every application. */
  readonly visible: readonly ChangeKind[];
  /** Further kinds that changed where hidden objects are shown. */
  readonly hidden: readonly ChangeKind[];
  /** A credential or the lock of the hidden zone may have changed: subscribers check theirs. */
  readonly access: boolean;
}

/** A position in the changes of an owner, by visibility. Equal positions: nothing has changed in between. */
export type ChangeCursors = Readonly<Record<ChangeVisibility, string>>;

/** A change as it is delivered, with the position after it. */
export interface PublishedChange extends OwnerChange {
  readonly cursors: ChangeCursors;
}

export interface ChangeListener {
  changed(change: PublishedChange): void;
  /** Changes may be lost from now on, because the feed is unavailable or closed. It is the last call. */
  ended(): void;
}

export interface ChangeSubscription {
  /** The position at which the subscription begins. */
  readonly start: ChangeCursors;
  /** The listener is not called any more. */
  close(): void;
}

/**
 * Notifies subscribers in all processes that data of an owner has changed, without its contents. A process that is killed
 * right after a commit may lose the change.
 *
 * Contract (contract-tests/suites/change-feed.ts):
 * - A listener gets every later change of its owner, of any process, in order. Several may be merged into one.
 * - Another owner's changes are not delivered and move no cursor.
 * - A change of hidden objects only leaves the cursor of `visible` as it was.
 * - Every change of a visibility moves its cursor to a position it never had. Without one the cursor stays the same.
 * - A change of access alone is delivered and moves no cursor.
 * - A subscription starts at the cursor of the last delivered change.
 * - A closed subscription delivers nothing more.
 * - After `endSubscriptions` listeners are ended and `subscribe` rejects with UnavailableError. Changes are still published.
 * - After `close` the same holds, and `publish` has no effect.
 */
export interface ChangeFeed {
  /** Never throws and never waits. During an outage the change is stored here and published afterwards. */
  publish(ownerId: string, change: OwnerChange): void;
  /** Rejects with UnavailableError while changes of other processes cannot be received. */
  subscribe(ownerId: string, listener: ChangeListener): Promise<ChangeSubscription>;
  /** At the start of a shutdown. */
  endSubscriptions(): void;
  /** Ends all subscriptions. Pending changes are published, with a time limit. */
  close(): Promise<void>;
}
