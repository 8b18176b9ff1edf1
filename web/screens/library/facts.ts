import { formatDay, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { isUnreadable } from '../../data/unreadable.ts';

/** What a document is: its type, else the kind of its file. */
export const typeName = ({
  doc_type: type,
  kind,
}: Pick<ObjectItem, 'doc_type' | 'kind'>): string =>
  type === 'other' ? t().library.kinds[kind] : t().library.docTypes[type];

export const folderName = ({ collection_name: name }: ObjectItem): string =>
  name ?? t().library.inNoFolder;

/** The name of a row for a screen reader: document, type, folder, date, state. */
export function describe(item: ObjectItem): string {
  const { library } = t();
  const isBeingRead = item.status === 'pending' || item.status === 'processing';
  const state = isUnreadable(item) ? library.notRead : isBeingRead ? library.beingRead : '';
  return [
    item.display_name,
    typeName(item),
    folderName(item),
    formatDay(item.created_at),
    formatSize(item.size),
    state,
    item.is_hidden ? t().hidden.hiddenOne : '',
  ]
    .filter(Boolean)
    .join(', ');
}
