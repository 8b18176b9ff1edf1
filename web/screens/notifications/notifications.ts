import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { noteChange } from '../../data/live.ts';

export type Notification = components['schemas']['Notification'];

export interface Notifications {
  readonly items: readonly Notification[];
  /** Of those that fit the filter. */
  readonly total: number;
  /** Of all. */
  readonly unread: number;
}

/** The service gives no more in one response. */
const MAX_LIMIT = 200;

/** The newest ones, up to `count`. */
export async function loadNotifications(
  { unread: isUnread, count }: { readonly unread: boolean; readonly count: number },
  signal: AbortSignal,
): Promise<Notifications> {
  const items: Notification[] = [];
  for (;;) {
    const limit = Math.min(MAX_LIMIT, count - items.length);
    const page = await reply(
      api.GET('/v1/notifications', {
        params: { query: { unread: isUnread, limit, offset: items.length } },
        signal,
      }),
    );
    items.push(...page.items);
    const isAll = items.length >= Math.min(count, page.total) || page.items.length === 0;
    if (isAll) return { items, total: page.total, unread: page.unread };
  }
}

/** Marks these as read. `all`: every one there is. */
export async function markRead(ids: readonly string[] | 'all'): Promise<void> {
  if (ids.length === 0) return;
  const body = { ids: ids === 'all' ? [] : [...ids] };
  await reply(api.POST('/v1/notifications/read', { body }));
  noteChange('notifications');
}

export async function removeNotification(id: string): Promise<void> {
  const params = { path: { notification_id: id } };
  try {
    await reply(api.DELETE('/v1/notifications/{notification_id}', { params }));
  } catch (error) {
    // Removed elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  noteChange('notifications');
}
