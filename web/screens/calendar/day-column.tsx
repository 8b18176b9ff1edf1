import { useLayoutEffect, useRef } from 'preact/hooks';
import { dayOfWall, midnightOf, MINUTE_MS, type Day } from './days.ts';
import { dayText, timesText, timeText } from './formats.ts';
import type { Item } from './items.ts';
import { classesOf, openItem } from './chip.tsx';
import { restOf, statusWord } from './event-words.ts';
import { blocksOfDay, type Block } from './layout.ts';
import { currentKey, ghost } from './sheet-state.ts';
import { useNow } from './use-now.ts';

type Press = (event: PointerEvent, item: Item) => void;

interface DayColumnProps {
  readonly day: Day;
  readonly items: readonly Item[];
  readonly stop: string | undefined;
  readonly onDragEvent: Press;
  readonly onDragEnd: Press;
  readonly onDragNew: (event: PointerEvent) => void;
  readonly onPressNew: (event: MouseEvent) => void;
}

/** The hours of a day. */
export function DayColumn({ day, items, stop, ...on }: DayColumnProps) {
  const now = useNow();
  const { value: dragged } = ghost;
  const midnight = midnightOf(day);
  const isGhostHere =
    dragged && dayOfWall(dragged.start) <= day && day <= dayOfWall(dragged.end - 1);
  return (
    <div
      class="day-col"
      role="group"
      aria-label={dayText(day)}
      data-day={day}
      onPointerDown={on.onDragNew}
      onClick={(event) => {
        if (event.target === event.currentTarget) on.onPressNew(event);
      }}
    >
      {blocksOfDay(items, day).map((block) => (
        <BlockButton
          key={block.item.key}
          block={block}
          day={day}
          isStop={block.item.key === stop}
          onDragEvent={on.onDragEvent}
          onDragEnd={on.onDragEnd}
        />
      ))}
      {isGhostHere && (
        <Placed
          class="ghost"
          from={Math.max(0, (dragged.start - midnight) / MINUTE_MS)}
          until={Math.min(1_440, (dragged.end - midnight) / MINUTE_MS)}
          text={timesText(dragged.start, dragged.end)}
        />
      )}
      {now.day === day && <Placed class="now" from={now.minutes} until={now.minutes} text="" />}
    </div>
  );
}

interface PlacedProps {
  readonly class: string;
  readonly from: number;
  readonly until: number;
  readonly text: string;
}

/** What is shown at a time, but can not be pressed. */
function Placed({ from, until, text, class: name }: PlacedProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place(ref.current, { from, until, lane: 0, lanes: 1 }), [from, until]);
  return (
    <div class={name} ref={ref} aria-hidden="true">
      {text}
    </div>
  );
}

/** The policy allows no inline styles: only the object model sets them. */
function place(element: HTMLElement | null, at: Omit<Block, 'item'>): void {
  for (const [name, value] of Object.entries(at))
    element?.style.setProperty(`--${name}`, `${value}`);
}

interface BlockProps {
  readonly block: Block;
  readonly day: Day;
  readonly isStop: boolean;
  readonly onDragEvent: Press;
  readonly onDragEnd: Press;
}

function BlockButton({ block, day, isStop, onDragEvent, onDragEnd }: BlockProps) {
  const { item, from, until, lane, lanes } = block;
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => place(ref.current, { from, until, lane, lanes }),
    [from, until, lane, lanes],
  );
  const isFirst = item.firstDay === day;
  const word = statusWord(item);
  return (
    <button
      type="button"
      ref={ref}
      class={`${classesOf(item)} block${until - from < 45 ? ' short' : ''}`}
      data-key={isFirst ? item.key : undefined}
      data-event={item.data.event_id}
      tabIndex={isStop && isFirst ? 0 : -1}
      onClick={() => openItem(item)}
      onFocus={() => void (currentKey.value = item.key)}
      onPointerDown={(event) => onDragEvent(event, item)}
    >
      <time>{isFirst && timeText(item.start)}</time> <bdi class="name">{item.data.title}</bdi>
      {word && (
        <span class="word" aria-hidden="true">
          {word}
        </span>
      )}
      <span class="vh">{restOf(item, day)}</span>
      {item.lastDay === day && (
        <span class="grip" aria-hidden="true" onPointerDown={(event) => onDragEnd(event, item)} />
      )}
    </button>
  );
}
