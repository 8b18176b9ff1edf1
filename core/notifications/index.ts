export {
  deleteNotification,
  listNotifications,
  markNotificationsRead,
  notificationsTag,
} from './notifications.ts';
export {
  failureOf,
  notify,
  type NotificationInput,
  type NotifyDeps,
  type Payloads,
} from './notify.ts';
