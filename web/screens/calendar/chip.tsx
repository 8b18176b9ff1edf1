import type { Day } from './days.ts';
import { describedBy } from './from-document.ts';
import { timeText } from './formats.ts';
import type { Item } from './items.ts';
import { restOf } from './event-words.ts';
import { calendarDialog, currentKey, ghost } from './sheet-state.ts';

export const openItem = (item: Item): void => {
  calendarDialog.value = { kind: 'event', item };
};

/** Class names that say what an event is; words say the same. */
export function classesOf({ data, isBar, key }: Item): string {
  const isFromDocument = describedBy(data.description).source !== undefined;
  return [
    'ev',
    (isBar || data.all_day) && 'all',
    data.status === 'tentative' && 'maybe',
    data.status === 'cancelled' && 'off',
    isFromDocument && 'from-doc',
    ghost.value?.key === key && 'dragged',
  ]
    .filter(Boolean)
    .join(' ');
}

interface ChipProps {
  readonly item: Item;
  readonly day: Day;
  /** The first day of the row: a bar that came from before begins anew there. */
  readonly rowStart: Day;
  readonly rowEnd: Day;
  readonly isStop: boolean;
  readonly onPointerDown: (event: PointerEvent, item: Item, day: Day) => void;
}

/** An event in a day of the month, or of the row of all-day events. */
export function Chip({ item, day, rowStart, rowEnd, isStop, onPointerDown }: ChipProps) {
  const { data, firstDay, lastDay } = item;
  const isContinued = day > firstDay && day > rowStart;
  const isBroken = day > firstDay && day === rowStart;
  const goesOn = day < lastDay && day < rowEnd;
  return (
    <button
      type="button"
      class={`${classesOf(item)}${lastDay > firstDay ? ' all' : ''}${isContinued ? ' cont' : ''}${goesOn ? ' goes' : ''}`}
      data-key={isContinued ? undefined : item.key}
      data-event={data.event_id}
      tabIndex={isStop && !isContinued ? 0 : -1}
      onClick={() => openItem(item)}
      onFocus={() => void (currentKey.value = item.key)}
      onPointerDown={(event) => onPointerDown(event, item, day)}
    >
      {!data.all_day && !isContinued && !isBroken && <time>{timeText(item.start)}</time>}{' '}
      <bdi class={isContinued ? 'vh' : 'cut'}>{data.title}</bdi>
      <span class="vh">{restOf(item, day)}</span>
    </button>
  );
}
