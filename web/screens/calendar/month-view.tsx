import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import {
  dayOfWall,
  daysFrom,
  midnightOf,
  MINUTE_MS,
  partsOf,
  WEEK,
  weekNumber,
  type Day,
} from './days.ts';
import { dateInMonthText, dateText, fullDayText, weekdayText, weekdays } from './formats.ts';
import type { Item } from './items.ts';
import { Chip } from './chip.tsx';
import { linesOfWeek } from './layout.ts';
import { shift } from './move.ts';
import { calendarDialog, currentKey, ghost } from './sheet-state.ts';
import { dayAt, dayOfElement, startDrag } from './drag.ts';
import { addressOf, type Shown } from './view-state.ts';
import { timeZone } from '../../state/preferences.ts';
import { today } from './zones.ts';
import { useNarrow } from './narrow.ts';

const DAY_START_MINUTES = 9 * 60;
const LINE_PX = 24;
const HEAD_PX = 32;
const FEWEST_LINES = 2;

interface MonthProps {
  readonly shown: Shown;
  readonly first: Day;
  readonly count: number;
  readonly items: readonly Item[];
  readonly label: string;
}

/** Opens the form of an event on some days: with one day, an hour of it. */
export function planDays(first: Day, last: Day): void {
  const allDay = last > first;
  const start = midnightOf(first) + (allDay ? 0 : DAY_START_MINUTES * MINUTE_MS);
  const end = allDay ? midnightOf(last + 1) : start + 60 * MINUTE_MS;
  calendarDialog.value = { kind: 'new', times: { start, end, tz: timeZone.peek(), allDay } };
}

/** The weeks of a month. Events can be dragged to other days, and days to plan something on them. */
export function MonthView({ shown, first, count, items, label }: MonthProps) {
  const { calendar } = t();
  const grid = useRef<HTMLDivElement>(null);
  const lines = useLineCount(grid, count / WEEK);
  const endDrag = useRef<() => void>(undefined);
  const [marked, setMarked] = useState<readonly [Day, Day]>();
  useEffect(() => () => endDrag.current?.(), []);
  const dragEvent = (down: PointerEvent, item: Item, from: Day) => {
    down.stopPropagation();
    const byDays = (event: PointerEvent) => (dayOfElement(dayAt(event)) ?? from) - from;
    endDrag.current = startDrag(down, {
      onMove: (event) => {
        const by = midnightOf(byDays(event));
        ghost.value = { key: item.key, start: item.start + by, end: item.end + by };
      },
      onDrop: (event) => void shift(item, midnightOf(byDays(event))),
      onEnd: () => void (ghost.value = undefined),
    });
  };
  const dragDays = (down: PointerEvent, from: Day) => {
    const span = (event: PointerEvent): readonly [Day, Day] => {
      const to = dayOfElement(dayAt(event)) ?? from;
      return [Math.min(from, to), Math.max(from, to)];
    };
    endDrag.current = startDrag(down, {
      onMove: (event) => setMarked(span(event)),
      onDrop: (event) => planDays(...span(event)),
      onEnd: () => setMarked(undefined),
    });
  };
  const { value: dragged } = ghost;
  const isMarked = (day: Day): boolean => {
    if (marked) return marked[0] <= day && day <= marked[1];
    if (!dragged) return false;
    const last = Math.max(dayOfWall(dragged.start), dayOfWall(dragged.end - 1));
    return dayOfWall(dragged.start) <= day && day <= last;
  };
  const stop = items.some(({ key }) => key === currentKey.value) ? currentKey.value : items[0]?.key;
  return (
    <div class="month-grid" role="grid" aria-label={label} ref={grid} data-weeks={count / WEEK}>
      <div role="row" class="contents">
        <span class="week-head" role="columnheader">
          <span class="vh">{calendar.week}</span>
        </span>
        {weekdays().map((weekday) => (
          <span
            key={weekday}
            class="dow"
            role="columnheader"
            aria-label={weekdayText(weekday, 'long')}
          >
            {weekdayText(weekday, 'short')}
          </span>
        ))}
      </div>
      {daysFrom(0, count / WEEK).map((week) => {
        const start = first + week * WEEK;
        return (
          <div key={start} role="row" class="contents">
            <div
              class="week num"
              role="rowheader"
              aria-label={calendar.weekNumber(weekNumber(start))}
            >
              {weekNumber(start)}
            </div>
            {linesOfWeek(items, start).map((inDay, nth) => (
              <Cell
                key={start + nth}
                day={start + nth}
                rowStart={start}
                shown={shown}
                inDay={inDay}
                lines={lines}
                stop={stop}
                isMarked={isMarked(start + nth)}
                onDragEvent={dragEvent}
                onDragDays={dragDays}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

interface CellProps {
  readonly day: Day;
  readonly rowStart: Day;
  readonly shown: Shown;
  readonly inDay: readonly (Item | undefined)[];
  readonly lines: number;
  readonly stop: string | undefined;
  readonly isMarked: boolean;
  readonly onDragEvent: (event: PointerEvent, item: Item, day: Day) => void;
  readonly onDragDays: (event: PointerEvent, day: Day) => void;
}

function Cell(props: CellProps) {
  const { day, rowStart, shown, inDay, lines, stop, isMarked } = props;
  const { calendar } = t();
  const isNarrow = useNarrow();
  const { date, month } = partsOf(day);
  const isToday = day === today();
  const count = inDay.filter((item) => item !== undefined).length;
  const fits = inDay.length <= lines;
  const visible = fits ? inDay : inDay.slice(0, lines - 1);
  const hidden = count - visible.filter((item) => item !== undefined).length;
  const isOut = month !== partsOf(shown.day).month;
  const classes = `cell${isOut ? ' out' : ''}${isToday ? ' today' : ''}${isMarked ? ' picked' : ''}`;
  return (
    <div
      class={classes}
      role="gridcell"
      data-day={day}
      onPointerDown={(event) => props.onDragDays(event, day)}
      onClick={(event) => {
        // The events and the number of the day have a press of their own.
        if (event.target === event.currentTarget && !isNarrow) planDays(day, day);
      }}
    >
      <a
        class="d8 num"
        href={addressOf({ view: 'day', day })}
        data-date={day}
        tabIndex={day === shown.day ? 0 : -1}
        draggable={false}
        aria-current={isToday ? 'date' : undefined}
        onPointerDown={(event) => event.stopPropagation()}
      >
        <span aria-hidden="true">
          {date === 1 && !isNarrow ? dateInMonthText(day) : dateText(day)}
        </span>
        <span class="vh">{`${fullDayText(day)}, ${calendar.events(count)}`}</span>
        {isNarrow && <Dots items={inDay} />}
      </a>
      {!isNarrow &&
        visible.map((item, nth) =>
          item ? (
            <Chip
              key={item.key}
              item={item}
              day={day}
              rowStart={rowStart}
              rowEnd={rowStart + WEEK - 1}
              isStop={item.key === stop}
              onPointerDown={props.onDragEvent}
            />
          ) : (
            <span key={`blank ${nth}`} class="ev blank" aria-hidden="true" />
          ),
        )}
      {!isNarrow && hidden > 0 && (
        <a
          class="ev more"
          href={addressOf({ view: 'day', day })}
          draggable={false}
          aria-label={`${calendar.more(hidden)}, ${fullDayText(day)}`}
          onPointerDown={(event) => event.stopPropagation()}
        >
          {calendar.more(hidden)}
        </a>
      )}
    </div>
  );
}

const MAX_DOTS = 4;

/** On a phone a day only shows that there is something. */
const Dots = ({ items }: { items: readonly (Item | undefined)[] }) => (
  <span class="dots" aria-hidden="true">
    {items
      .filter((item) => item !== undefined && item.data.status !== 'cancelled')
      .slice(0, MAX_DOTS)
      .map((item) => (
        <span key={item?.key} class="dot" />
      ))}
  </span>
);

/** How many events fit into a day. */
function useLineCount(grid: { readonly current: HTMLElement | null }, weeks: number): number {
  const [lines, setLines] = useState(FEWEST_LINES + 1);
  useEffect(() => {
    const { current } = grid;
    const measure = () => {
      const height = current?.querySelector('.cell')?.getBoundingClientRect().height ?? 0;
      if (height > 0) setLines(Math.max(FEWEST_LINES, Math.floor((height - HEAD_PX) / LINE_PX)));
    };
    const observer = new ResizeObserver(measure);
    if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [grid, weeks]);
  return lines;
}
