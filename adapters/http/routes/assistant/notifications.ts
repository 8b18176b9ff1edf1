import {
  NOTIFICATION_KINDS,
  type Notification as Told,
  type NotificationPage,
} from '../../../../ports/notifications.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  flag,
  freeForm,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, isoOrNull } from '../shapes.ts';

const tag = 'Notifications';

const Notification = named(
  'Notification',
  closed({
    id: uuid(),
    kind: oneOf(...NOTIFICATION_KINDS),
    title: text(),
    body: text(),
    payload: freeForm({ description: 'Data of the kind: ids, names, numbers.' }),
    read: flag(),
    read_at: nullable(dateTime()),
    created_at: dateTime(),
  }),
);
const NotificationList = named(
  'NotificationList',
  closed({
    items: list(Notification),
    unread: int({ description: 'All unread notifications, regardless of the filter.' }),
    total: int(),
  }),
);

const item = (told: Told): TypeOf<typeof Notification> => ({
  id: told.id,
  kind: told.kind,
  title: told.title,
  body: told.body,
  payload: told.payload,
  read: told.readAt !== null,
  read_at: isoOrNull(told.readAt),
  created_at: iso(told.createdAt),
});
const listed = (page: NotificationPage): TypeOf<typeof NotificationList> => ({
  items: page.items.map(item),
  unread: page.unread,
  total: page.total,
});

/** As many ids as a client can have seen on a few pages. To mark more, a client marks all. */
const MAX_IDS = 1_000;

export const notificationRoutes = [
  route({
    method: 'get',
    path: '/v1/notifications',
    tag,
    name: 'listNotifications',
    summary: 'Notifications, newest first',
    description:
      'For polling: send the `ETag` of the last response as `If-None-Match`; an unchanged list is a cheap 304. `unread` counts all unread ones, `total` those that match the filter.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    query: object({
      unread: optional(flag({ description: 'true leaves out read notifications.' })),
      limit: withDefault(int({ minimum: 1, maximum: 200 }), 50),
      offset: withDefault(int({ minimum: 0 }), 0),
    }),
    reply: { json: NotificationList },
    etag: (core, { caller }) => core.notifications.notificationsTag(caller),
    run: (core, { caller, query: q }) =>
      core.notifications.listNotifications(caller, {
        unreadOnly: q.unread ?? false,
        limit: q.limit,
        offset: q.offset,
      }),
    present: listed,
  }),
  route({
    method: 'post',
    path: '/v1/notifications/read',
    tag,
    name: 'readNotifications',
    summary: 'Mark notifications read: those in `ids`, or all without any',
    description: 'Returns the first 50 notifications. Unknown ids are ignored.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    body: { json: object({ ids: withDefault(list(uuid(), { maxItems: MAX_IDS }), []) }) },
    reply: { json: NotificationList },
    run: (core, { caller, body }) => core.notifications.markNotificationsRead(caller, body.ids),
    present: listed,
  }),
  route({
    method: 'delete',
    path: '/v1/notifications/:notification_id',
    tag,
    name: 'deleteNotification',
    summary: 'Delete a notification',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: object({ notification_id: uuid() }),
    reply: { json: Deleted },
    run: (core, { caller, params }) =>
      core.notifications.deleteNotification(caller, params.notification_id),
    present: deleted,
  }),
];
