import { formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { HiddenMark } from '../../ui/hidden-mark.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { DocumentLink, cellEvents } from './cell.tsx';
import type { CellProps } from './document-list.tsx';
import { describe, typeName } from './facts.ts';

/** A document as a picture of its first page. */
export function DocumentTile(props: CellProps) {
  const { item, index, isCurrent, isStop, isSelected } = props;
  return (
    <div
      class={`tile${isSelected ? ' picked' : ''}${isCurrent ? ' here' : ''}`}
      role="row"
      tabIndex={isStop ? 0 : -1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-label={describe(item)}
      data-index={index}
      {...cellEvents(props)}
    >
      <span class="frame" role="gridcell">
        <Thumbnail item={item} size={512} />
      </span>
      <span class="tile-head" role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={t().library.select(item.display_name)}
        />
        <DocumentLink {...props} />
      </span>
      <span class="line cut" role="gridcell">
        <HiddenMark item={item} /> {typeName(item)},{' '}
        <time dateTime={item.created_at}>{formatDay(item.created_at)}</time>
      </span>
    </div>
  );
}
