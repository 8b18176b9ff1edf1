import { useLocation } from 'preact-iso';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/notifications.ts';
import { useActions } from '../../keys/action.ts';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { daysOf } from './days.ts';
import { notificationActions } from './notification-actions.ts';
import { NotificationItem } from './notification-item.tsx';
import { useNotifications, type NotificationList } from './notification-list.ts';

const STEP = 50;

/** What happened, by day. Each leads to its place. */
export default function NotificationsScreen() {
  const { notificationsText: texts } = t();
  const isUnread = useLocation().query['show'] === 'unread';
  const [count, setCount] = useState(STEP);
  const list = useNotifications({ unread: isUnread, count });
  const { data, error, reload } = list;
  const ref = useRef<HTMLDivElement>(null);
  const remove = useListKeys(ref, list);
  const isFull = data !== undefined && data.items.length < data.total;
  return (
    <Screen
      title={texts.title}
      detail={data && data.unread > 0 ? texts.unread(data.unread) : ''}
      end={
        <>
          <Filter isUnread={isUnread} />
          <button
            type="button"
            class="button"
            disabled={!data || data.unread === 0}
            onClick={() => list.read('all')}
          >
            {texts.readAll}
          </button>
        </>
      }
    >
      <div class="scroll" ref={ref}>
        {error !== undefined && <Failed error={error} retry={reload} />}
        {!data && error === undefined && <Working>{t().shell.loading}</Working>}
        {data?.items.length === 0 && <Nothing isUnread={isUnread} />}
        {daysOf(data?.items ?? []).map(({ key, name, items }) => (
          <section key={key} class="notices" aria-labelledby={`day-${key}`}>
            <h2 id={`day-${key}`}>{name}</h2>
            <ul>
              {items.map((each) => (
                <NotificationItem
                  key={each.id}
                  notification={each}
                  onRead={list.read}
                  onRemove={remove}
                />
              ))}
            </ul>
          </section>
        ))}
        {isFull && (
          <p class="notices">
            <button
              type="button"
              class="button"
              onClick={() => {
                setCount(count + STEP);
                reload();
              }}
            >
              {texts.more}
            </button>
          </p>
        )}
      </div>
    </Screen>
  );
}

function Filter({ isUnread }: { isUnread: boolean }) {
  const { notificationsText: texts } = t();
  const { route } = useLocation();
  const go = (path: string) => () => route(to(path), true);
  return (
    <div class="segmented by-state" role="group" aria-label={texts.show}>
      <button type="button" aria-pressed={!isUnread} onClick={go('/notifications')}>
        {texts.all}
      </button>
      <button type="button" aria-pressed={isUnread} onClick={go('/notifications?show=unread')}>
        {texts.onlyUnread}
      </button>
    </div>
  );
}

function Nothing({ isUnread }: { isUnread: boolean }) {
  const { notificationsText: texts } = t();
  if (!isUnread)
    return (
      <Empty title={texts.none}>
        <p>{texts.noneHint}</p>
      </Empty>
    );
  return (
    <Empty title={texts.allRead}>
      <a class="button" href={to('/notifications')}>
        {texts.showAll}
      </a>
    </Empty>
  );
}

/** The keys of the list. Returns what removes a notification and gives the focus to the one after it. */
function useListKeys(ref: { readonly current: HTMLElement | null }, list: NotificationList) {
  const titles = () => [...(ref.current?.querySelectorAll<HTMLElement>('.notice-title') ?? [])];
  const focusedAt = () =>
    titles().findIndex((each) => each.closest('.notice')?.contains(document.activeElement));
  const next = useRef<number | undefined>(undefined);
  const latest = useRef(list);
  latest.current = list;
  useLayoutEffect(() => {
    const at = next.current;
    if (at === undefined) return;
    next.current = undefined;
    const all = titles();
    (all[Math.min(at, all.length - 1)] ?? document.querySelector<HTMLElement>('h1'))?.focus();
  });
  const remove = useMemo(
    () => (id: string) => {
      const at = focusedAt();
      if (at >= 0) next.current = at;
      latest.current.remove(id);
    },
    [],
  );
  useActions(
    useMemo(
      () =>
        notificationActions({
          step: (by) => {
            const all = titles();
            const at = focusedAt();
            const to = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
            all[to]?.focus();
          },
          focused: () =>
            document.activeElement?.closest('.notice')?.getAttribute('data-id') ?? undefined,
          read: (ids) => latest.current.read(ids),
          remove,
        }),
      [remove],
    ),
  );
  return remove;
}
