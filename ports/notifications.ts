import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

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
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Something that happened and that an owner is told of. */
export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  /** For a person. */
  readonly title: string;
  readonly body: string;
  /** For a program: the fields of its kind, named as on the wire. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The object it tells of; it goes with it. */
  readonly objectId: string | null;
  /** Whether that object is hidden now. */
  readonly isHidden: boolean;
  /** When it was read, null until then. */
  readonly readAt: Instant | null;
  readonly createdAt: Instant;
}

/** `visible`: those that tell of no hidden object. `any`: these too. */
export type NotificationSight = 'visible' | 'any';

export interface NotificationPage extends Page<Notification> {
  /** All that are unread in this sight, whatever the page leaves out. */
  readonly unread: number;
}

/** How many visible ones are kept, and how many hidden ones: neither may push out the others. */
export const MAX_NOTIFICATIONS = 5_000;

/**
 * The notifications of one owner. Of every change it is told the moment.
 *
 * Contract (contract-tests/suites/notification-store.ts):
 * - `page` gives what was added, field for field, newest first, then by id, descending, in pages without gaps or repeats.
 * - Sight and `unreadOnly` narrow a page; its total is that of all matches, and `unread` counts the unread ones of the sight whatever else is asked.
 * - `markRead` reads those of the ids that are in sight and unread, or all of them; what was read before keeps its moment.
 * - `remove` answers whether there was one in sight.
 * - `placeObject` moves what tells of an object into or out of the visible ones, and `forgetObject` takes it away.
 * - Beyond `MAX_NOTIFICATIONS` the oldest go, visible and hidden ones each for themselves.
 * - `version` rises with every change of what is in sight, to the moment of the change at least, and stays as it is when nothing changed.
 * - Nothing that happens to hidden ones moves what is told of the visible ones.
 * - Another owner's notifications are out of reach.
 */
export interface NotificationStore {
  add(notification: Notification): Promise<void>;
  page(
    sight: NotificationSight,
    unreadOnly: boolean,
    request: PageRequest,
  ): Promise<NotificationPage>;
  /** 0 until there was something. */
  version(sight: NotificationSight): Promise<number>;
  /** Ids that are unknown or out of sight are passed over. */
  markRead(sight: NotificationSight, which: readonly string[] | 'all', at: Instant): Promise<void>;
  remove(sight: NotificationSight, id: string, at: Instant): Promise<boolean>;
  placeObject(objectId: string, isHidden: boolean, at: Instant): Promise<void>;
  forgetObject(objectId: string, at: Instant): Promise<void>;
}
