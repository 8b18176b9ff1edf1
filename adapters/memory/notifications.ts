import {
  MAX_NOTIFICATIONS,
  type Notification,
  type NotificationVisibility,
  type NotificationStore,
} from '../../ports/notifications.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Tables } from './database.ts';
import { cut, newestFirst } from './order.ts';

export function memoryNotifications({
  notifications,
  notificationVersions: versions,
}: Tables): NotificationStore {
  const seen = (sight: NotificationVisibility) =>
    notifications.values().filter(({ isHidden }) => sight === 'any' || !isHidden);
  const of = (objectId: string) =>
    notifications.values().filter((each) => each.objectId === objectId);
  const rise = (sight: NotificationVisibility, at: Instant) =>
    versions.set(sight, Math.max((versions.get(sight) ?? 0) + 1, at));
  const moved = (visible: boolean, at: Instant) => {
    rise('any', at);
    if (visible) rise('visible', at);
  };
  const put = (notification: Notification) =>
    notifications.set(notification.id, Object.freeze({ ...notification }));
  const keepNewest = (isHidden: boolean) => {
    const kind = notifications.values().filter((each) => each.isHidden === isHidden);
    if (kind.length <= MAX_NOTIFICATIONS) return;
    for (const { id } of kind.sort(newestFirst).slice(MAX_NOTIFICATIONS)) notifications.delete(id);
  };
  return {
    add: async (notification) => {
      put(notification);
      keepNewest(notification.isHidden);
      moved(!notification.isHidden, notification.createdAt);
    },
    page: async (sight, unreadOnly, request) => {
      const all = seen(sight);
      const unread = all.filter(({ readAt }) => readAt === null);
      const matching = unreadOnly ? unread : all;
      return { ...cut([...matching].sort(newestFirst), request), unread: unread.length };
    },
    version: async (sight) => versions.get(sight) ?? 0,
    markRead: async (sight, which, at) => {
      const ids = which === 'all' ? undefined : new Set(which);
      const read = seen(sight).filter(
        ({ id, readAt }) => readAt === null && (ids?.has(id) ?? true),
      );
      for (const each of read) put({ ...each, readAt: at });
      if (read.length > 0)
        moved(
          read.some(({ isHidden }) => !isHidden),
          at,
        );
    },
    remove: async (sight, id, at) => {
      const found = notifications.get(id);
      if (!found || (sight === 'visible' && found.isHidden)) return false;
      notifications.delete(id);
      moved(!found.isHidden, at);
      return true;
    },
    setObjectVisibility: async (objectId, isHidden, at) => {
      const strayed = of(objectId).filter((each) => each.isHidden !== isHidden);
      if (strayed.length === 0) return;
      for (const each of strayed) put({ ...each, isHidden });
      keepNewest(isHidden);
      moved(true, at);
    },
    forgetObject: async (objectId, at) => {
      const gone = of(objectId);
      if (gone.length === 0) return;
      for (const { id } of gone) notifications.delete(id);
      moved(
        gone.some(({ isHidden }) => !isHidden),
        at,
      );
    },
  };
}
