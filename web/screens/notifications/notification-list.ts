import { useRef, useState } from 'preact/hooks';
import { useResource } from '../../data/resource.ts';
import {
  loadNotifications,
  markRead,
  removeNotification,
  type Notifications,
} from './notifications.ts';

export interface NotificationList {
  readonly data: Notifications | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  readonly read: (ids: readonly string[] | 'all') => void;
  readonly remove: (id: string) => void;
}

type Changes = ReadonlyMap<string, 'read' | 'removed'>;

/** The newest notifications, with what was just changed already applied. A change that is refused is taken back. */
export function useNotifications(options: {
  readonly unread: boolean;
  readonly count: number;
}): NotificationList {
  const { unread, count } = options;
  const {
    data: loaded,
    error,
    reload,
  } = useResource(
    `notifications ${unread}`,
    (signal) => loadNotifications({ unread, count }, signal),
    ['notifications'],
  );
  // Those that were shown stay while others are loaded.
  const last = useRef(loaded);
  if (loaded) last.current = loaded;
  const data = loaded ?? last.current;
  const [changes, setChanges] = useState<Changes>(new Map());
  const [failure, setFailure] = useState<unknown>();
  const change = async (
    ids: readonly string[],
    as: 'read' | 'removed',
    work: () => Promise<void>,
  ): Promise<void> => {
    setFailure(undefined);
    setChanges((before) => new Map([...before, ...ids.map((id) => [id, as] as const)]));
    try {
      await work();
    } catch (cause) {
      setFailure(cause);
      setChanges((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
    }
  };
  return {
    data: data && withChanges(data, changes),
    error: failure ?? error,
    reload: () => {
      setFailure(undefined);
      reload();
    },
    read: (ids) => {
      const marked = ids === 'all' ? (data?.items ?? []).map(({ id }) => id) : ids;
      void change(marked, 'read', () => markRead(ids));
    },
    remove: (id) => void change([id], 'removed', () => removeNotification(id)),
  };
}

function withChanges(loaded: Notifications, changes: Changes): Notifications {
  const isRemoved = ({ id }: { id: string }) => changes.get(id) === 'removed';
  const isReadNow = ({ id, read }: { id: string; read: boolean }) =>
    !read && changes.get(id) !== undefined;
  const removed = loaded.items.filter(isRemoved).length;
  return {
    items: loaded.items
      .filter((each) => !isRemoved(each))
      .map((each) => (changes.has(each.id) ? { ...each, read: true } : each)),
    total: loaded.total - removed,
    unread: Math.max(0, loaded.unread - loaded.items.filter(isReadNow).length),
  };
}
