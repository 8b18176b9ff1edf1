import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

export const NOTIFICATION_KINDS = [
  'object.ready',
  'object.failed',
  'image.done',
  'image.failed',
  'reorganize.done',
  'migration.done',
  'migration.failed',
  'calendar.reminder',
  'share.opened',
  'share.uploaded',
  'referral.credited',
  'integration.failed',
  'bot.refused',
  'bot.failed',
  'security.alert',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** An event that the owner is notified of. */
export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  /** For people. */
  readonly title: string;
  readonly body: string;
  /** For programs: the fields of its kind, named as in the API. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The object it concerns; the notification is removed with it. */
  readonly objectId: string | null;
  /** Whether that object is currently hidden. */
  readonly isHidden: boolean;
  /** When it was read; null while unread. */
  readonly readAt: Instant | null;
  readonly createdAt: Instant;
}

/** `visible`: those that do not concern a hidden object. `any`: all. */
export type NotificationVisibility = 'visible' | 'any';

export interface NotificationPage extends Page<Notification> {
  /** Unread ones of this visibility, regardless of the page. */
  readonly unread: number;
}

/** Maximum number stored, visible and hidden ones counted separately: neither may displace the others. */
export const MAX_NOTIFICATIONS = 5_000;

/**
 * The notifications of one owner. Every change is given the current time.
 *
 * Contract (contract-tests/suites/notification-store.ts):
 * - `page` returns added notifications, field for field, newest first, then by id, descending, in pages without gaps
 *   or duplicates.
 * - Visibility and `unreadOnly` narrow a page. Its total counts all matches. `unread` counts the unread ones of the
 *   visibility, regardless of other filters.
 * - `markRead` marks those of the ids, or all, that are of the visibility and unread. An earlier time of reading is
 *   preserved.
 * - `remove` returns whether there was one of the visibility.
 * - `setObjectVisibility` changes the visibility of an object's notifications, and `forgetObject` removes them.
 * - Above `MAX_NOTIFICATIONS` the oldest are removed, visible and hidden ones separately.
 * - `version` increases with every change within the visibility, to at least the time of the change, and is otherwise
 *   constant.
 * - Changes of hidden notifications do not affect results about the visible ones.
 * - Another owner's notifications are out of reach.
 */
export interface NotificationStore {
  add(notification: Notification): Promise<void>;
  page(
    sight: NotificationVisibility,
    unreadOnly: boolean,
    request: PageRequest,
  ): Promise<NotificationPage>;
  /** 0 until the first notification. */
  version(sight: NotificationVisibility): Promise<number>;
  /** Ids that are unknown or not of the visibility are ignored. */
  markRead(
    sight: NotificationVisibility,
    which: readonly string[] | 'all',
    at: Instant,
  ): Promise<void>;
  remove(sight: NotificationVisibility, id: string, at: Instant): Promise<boolean>;
  setObjectVisibility(objectId: string, isHidden: boolean, at: Instant): Promise<void>;
  forgetObject(objectId: string, at: Instant): Promise<void>;
}
