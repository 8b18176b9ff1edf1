import { to } from '../../app/address.ts';
import { formatTime } from '../../i18n/format.ts';
import { t } from '../../i18n/notifications.ts';
import { Icon } from '../../ui/icon.tsx';
import { meaningOf } from './meaning.ts';
import type { Notification } from './notifications.ts';

interface ItemProps {
  readonly notification: Notification;
  readonly onRead: (ids: readonly string[]) => void;
  /** Absent where the list is only looked at. */
  readonly onRemove?: (id: string) => void;
}

/** One notification: what happened, the way to it, and whether it is new. */
export function NotificationItem({ notification, onRead, onRemove }: ItemProps) {
  const { notificationsText: texts } = t();
  const { id, read: isRead, created_at: at } = notification;
  const { icon, title, detail, english, path, isBad } = meaningOf(notification);
  const lang = english === undefined ? undefined : 'en';
  const read = () => {
    if (!isRead) onRead([id]);
  };
  // The same element before and after it is read: a press on it would else lose its target.
  const words = (
    <span class={isRead ? undefined : 'is-unread'} lang={lang}>
      {title}
    </span>
  );
  return (
    <li class={`notice${isBad ? ' is-bad' : ''}`} data-id={id}>
      <Icon name={icon} />
      <div class="grow">
        {path === undefined ? (
          <p class="notice-title" tabIndex={-1}>
            {words}
          </p>
        ) : (
          <a class="notice-title" href={to(path)} onClick={read}>
            {words}
          </a>
        )}
        {detail !== undefined && <p class="soft">{detail}</p>}
        {english && (
          <p class="soft" lang="en" dir="auto">
            {english}
          </p>
        )}
        <p class="soft num">
          <time dateTime={at}>{formatTime(at)}</time>
          {!isRead && <span class="tag new">{texts.isNew}</span>}
        </p>
      </div>
      {onRemove && !isRead && (
        <button
          type="button"
          class="tool small"
          aria-label={texts.readOne(title)}
          onClick={() => onRead([id])}
        >
          <Icon name="check" small />
        </button>
      )}
      {onRemove && (
        <button
          type="button"
          class="tool small"
          aria-label={texts.removeOne(title)}
          onClick={() => onRemove(id)}
        >
          <Icon name="x" small />
        </button>
      )}
    </li>
  );
}
