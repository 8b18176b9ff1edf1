export {
  deleteNotification,
  listNotifications,
  markNotificationsRead,
  notificationsTag,
} from './notifications.ts';
export { notify, type NotificationInput, type NotifyDeps, type Payloads } from './notify.ts';
