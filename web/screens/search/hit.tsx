import { to } from '../../app/address.ts';
import { formatDay, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/search.ts';
import { drawingOf } from '../../ui/drawing-of.ts';
import { HiddenMark } from '../../ui/hidden-mark.tsx';
import { PageDrawing } from '../../ui/page-drawing.tsx';
import type { HitModel } from './hit-list.ts';
import { Marked } from './marked.tsx';
import type { SearchHit } from './search-query.ts';

interface HitProps {
  readonly model: HitModel;
  readonly hit: SearchHit;
  readonly index: number;
  readonly query: string;
}

/** Leads to the document, at the place that was found. */
export const addressOfHit = ({ object, snippet, char_start, char_end }: SearchHit): string =>
  to(`/object/${object.id}${snippet === '' ? '' : `#t=${char_start}-${char_end}`}`);

/** One document with the place that was found. It opens at that place. */
export function Hit({ model, hit, index, query }: HitProps) {
  const { object, snippet } = hit;
  const isSelected = model.isSelected(object.id);
  const isHere = model.cursor.value === index;
  return (
    <li
      class={`row hit${isSelected ? ' picked' : ''}${isHere ? ' here' : ''}`}
      data-index={index}
      onFocusIn={() => model.setCursor(index)}
    >
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={t().library.select(object.display_name)}
        onClick={(event) => {
          if (event.shiftKey) model.tickTo(index);
          else model.tick([object.id], !isSelected);
        }}
      />
      <PageDrawing name={drawingOf(object)} />
      <div class="grow">
        <a class="name" href={addressOfHit(hit)}>
          <bdi>
            <Marked text={object.display_name} query={query} />
          </bdi>
        </a>
        {snippet === '' ? (
          <span class="line">{object.summary || t().search.inItsName}</span>
        ) : (
          <p class="snippet" dir="auto">
            <Marked text={snippet} query={query} />
          </p>
        )}
      </div>
      <div class="where">
        <bdi class="cut">{object.collection_name}</bdi> <HiddenMark item={object} />
      </div>
      <div class="when">
        <time dateTime={object.created_at}>{formatDay(object.created_at)}</time>
        <span class="second">{formatSize(object.size)}</span>
      </div>
    </li>
  );
}
