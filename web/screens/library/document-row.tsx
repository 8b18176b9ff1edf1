import { formatDay, formatMoment, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { HiddenMark } from '../../ui/hidden-mark.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { DocumentLink, cellEvents } from './cell.tsx';
import type { CellProps } from './document-list.tsx';
import { describe, folderName, typeName } from './facts.ts';
import { Line } from './row-line.tsx';
import { SuggestionOffer, hasSuggestion } from './suggestion-offer.tsx';

/** A document in one line of the list. */
export function DocumentRow(props: CellProps) {
  const { model, item, index, isCurrent, isStop, isSelected } = props;
  const offers = hasSuggestion(item);
  return (
    <div
      class={`row${isSelected ? ' picked' : ''}${isCurrent ? ' here' : ''}${offers ? ' offers' : ''}`}
      role="row"
      tabIndex={isStop ? 0 : -1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-label={describe(item)}
      data-index={index}
      {...cellEvents(props)}
    >
      <span role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={t().library.select(item.display_name)}
        />
      </span>
      <span role="gridcell">
        <Thumbnail item={item} size={64} />
      </span>
      <span role="gridcell" class="what">
        <DocumentLink {...props} />
        {offers ? <SuggestionOffer model={model} item={item} /> : <Line item={item} />}
      </span>
      <span class="where" role="gridcell">
        <span class="cut">
          <bdi>{folderName(item)}</bdi>
        </span>{' '}
        <span class="second cut">
          {model.listing.filters.hidden_only !== true && <HiddenMark item={item} />}{' '}
          {typeName(item)}
        </span>
      </span>
      <span class="when" role="gridcell">
        <time dateTime={item.created_at} title={formatMoment(item.created_at)}>
          {formatDay(item.created_at)}
        </time>{' '}
        <span class="second num">{formatSize(item.size)}</span>
      </span>
    </div>
  );
}
