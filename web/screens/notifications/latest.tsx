import { to } from '../../app/address.ts';
import { t } from '../../i18n/notifications.ts';
import { Failed, Working } from '../../ui/notice.tsx';
import { NotificationItem } from './notification-item.tsx';
import { useNotifications } from './notification-list.ts';

const COUNT = 6;

/** The latest notifications, for the popover of the bell. `close` is called when one of them is opened. */
export default function Latest({ close }: { close: () => void }) {
  const { notificationsText: texts, shell } = t();
  const list = useNotifications({ unread: false, count: COUNT });
  const { data, error, reload } = list;
  const closeOnLink = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a')) close();
  };
  return (
    <div class="latest" onClick={closeOnLink}>
      <div class="latest-head">
        <h2 class="grow">{texts.title}</h2>
        {data !== undefined && data.unread > 0 && (
          <button type="button" class="act" onClick={() => list.read('all')}>
            {texts.readAll}
          </button>
        )}
      </div>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && error === undefined && <Working>{shell.loading}</Working>}
      {data?.items.length === 0 && <p class="soft">{texts.none}</p>}
      <ul class="notices">
        {data?.items.map((each) => (
          <NotificationItem key={each.id} notification={each} onRead={list.read} />
        ))}
      </ul>
      <a class="button" href={to('/notifications')}>
        {texts.toAll}
      </a>
    </div>
  );
}
