export {
  deleteNotification,
  listNotifications,
  markNotificationsRead,
  notificationsTag,
} from './notifications.ts';
export { notify, type News, type NotifyDeps, type Payloads } from './notify.ts';
