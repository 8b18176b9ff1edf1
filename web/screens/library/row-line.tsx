import type { ObjectItem } from '../../data/object-list.ts';
import { erasureOf } from '../../data/trash.ts';
import { isUnreadable } from '../../data/unreadable.ts';
import { formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { UnreadReason } from '../../ui/unread-reason.tsx';

/** What is in a document, or its state. */
export function Line({ item }: { item: ObjectItem }) {
  const { status, summary, deleted_at: trashedAt } = item;
  const { library } = t();
  if (trashedAt !== null) {
    const erasedAt = erasureOf(trashedAt);
    return (
      <span class="line cut">
        {library.inTrashSince(formatDay(trashedAt))}
        {erasedAt !== undefined && ` · ${library.erasedOn(formatDay(erasedAt))}`}
      </span>
    );
  }
  if (status === 'pending' || status === 'processing')
    return (
      <span class="line">
        <span class="state">
          <span class="spin" aria-hidden="true" />
          {library.beingRead}
        </span>
      </span>
    );
  if (isUnreadable(item)) return <NotRead item={item} />;
  return <span class="line cut">{summary}</span>;
}

const NotRead = ({ item }: { item: ObjectItem }) => (
  <span class="line bad cut">
    {t().library.notRead}
    {item.error_code && ': '}
    <UnreadReason of={item} />
  </span>
);
