import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import { timeZone } from '../../state/preferences.ts';
import { DAY_MS, daysFrom, midnightOf, MINUTE_MS, weekdayOf, type Day, type Wall } from './days.ts';
import { dateText, dayText, fullDayText, timeText, weekdayText } from './formats.ts';
import { touches, type Item } from './items.ts';
import { Chip } from './chip.tsx';
import { DayColumn } from './day-column.tsx';
import { linesOfWeek } from './layout.ts';
import { requestMove, shift } from './move.ts';
import { calendarDialog, currentKey, ghost } from './sheet-state.ts';
import { dayAt, dayOfElement, startDrag } from './drag.ts';
import { addressOf } from './view-state.ts';
import { today } from './zones.ts';

const STEP_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_SEEN_HOUR = 7;
const MAX_BAR_LINES = 6;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface TimeGridProps {
  readonly first: Day;
  readonly count: number;
  readonly items: readonly Item[];
  readonly label: string;
}

/** Where the pointer is in the column of a day, by the clock. */
function wallAtPointer(event: MouseEvent): Wall | undefined {
  const column = document
    .elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest<HTMLElement>('.day-col'))
    .find((found) => found !== null);
  const day = dayOfElement(column ?? undefined);
  if (!column || day === undefined) return undefined;
  const { top, height } = column.getBoundingClientRect();
  return midnightOf(day) + ((event.clientY - top) / height) * DAY_MS;
}

const snapped = (wall: Wall): Wall => Math.round(wall / STEP_MS) * STEP_MS;

/** A week, or a day, by the hours. Events are dragged to other times, and by their lower edge made longer. */
export function TimeGrid({ first, count, items, label }: TimeGridProps) {
  const { calendar } = t();
  const endDrag = useRef<() => void>(undefined);
  useEffect(() => () => endDrag.current?.(), []);
  const timed = items.filter(({ isBar }) => !isBar);
  const stop = items.some(({ key }) => key === currentKey.value) ? currentKey.value : items[0]?.key;
  const dragEvent = (down: PointerEvent, item: Item) => {
    down.stopPropagation();
    const grabbed = (wallAtPointer(down) ?? item.start) - item.start;
    const target = (event: PointerEvent): Wall =>
      snapped((wallAtPointer(event) ?? item.start + grabbed) - grabbed);
    endDrag.current = startDrag(down, {
      onMove: (event) => {
        const start = target(event);
        ghost.value = { key: item.key, start, end: start + item.end - item.start };
      },
      onDrop: (event) => {
        const start = target(event);
        void requestMove(item, start, start + item.end - item.start);
      },
      onEnd: () => void (ghost.value = undefined),
    });
  };
  const dragEnd = (down: PointerEvent, item: Item) => {
    down.stopPropagation();
    const target = (event: PointerEvent): Wall =>
      Math.max(item.start + STEP_MS, snapped(wallAtPointer(event) ?? item.end));
    endDrag.current = startDrag(down, {
      onMove: (event) =>
        void (ghost.value = { key: item.key, start: item.start, end: target(event) }),
      onDrop: (event) => void requestMove(item, item.start, target(event)),
      onEnd: () => void (ghost.value = undefined),
    });
  };
  const dragNew = (down: PointerEvent) => {
    const from = wallAtPointer(down);
    if (from === undefined) return;
    const start = Math.floor(from / (2 * STEP_MS)) * 2 * STEP_MS;
    const target = (event: PointerEvent): Wall =>
      Math.max(start + STEP_MS, snapped(wallAtPointer(event) ?? start));
    const plan = (end: Wall) =>
      void (calendarDialog.value = {
        kind: 'new',
        times: { start, end, tz: timeZone.peek(), allDay: false },
      });
    endDrag.current = startDrag(down, {
      onMove: (event) => void (ghost.value = { key: '', start, end: target(event) }),
      onDrop: (event) => plan(target(event)),
      onEnd: () => void (ghost.value = undefined),
    });
  };
  const pressNew = (event: MouseEvent) => {
    const from = wallAtPointer(event);
    if (from === undefined) return;
    const start = Math.floor(from / (2 * STEP_MS)) * 2 * STEP_MS;
    const times = { start, end: start + HOUR_MS, tz: timeZone.peek(), allDay: false };
    calendarDialog.value = { kind: 'new', times };
  };
  const scroll = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = scroll;
    const hours = current?.querySelector('.hours-in')?.clientHeight ?? 0;
    if (current) current.scrollTop = (hours / HOURS.length) * FIRST_SEEN_HOUR;
  }, [first, count]);
  return (
    <div class={`time-grid${count === 1 ? ' one-day' : ''}`} role="group" aria-label={label}>
      <div class="scroll hours" ref={scroll} tabIndex={0} role="region" aria-label={calendar.hours}>
        <div class="heads">
          <DayHeads first={first} count={count} />
          <AllDayRow first={first} count={count} items={items} stop={stop} endDrag={endDrag} />
        </div>
        <div class="hours-in">
          <div class="hour-names" aria-hidden="true">
            {HOURS.map((hour) => (
              <span key={hour} class="num">
                {hour > 0 && timeText(hour * HOUR_MS)}
              </span>
            ))}
          </div>
          {daysFrom(first, count).map((day) => (
            <DayColumn
              key={day}
              day={day}
              items={timed.filter((item) => touches(item, day))}
              stop={stop}
              onDragEvent={dragEvent}
              onDragEnd={dragEnd}
              onDragNew={dragNew}
              onPressNew={pressNew}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const DayHeads = ({ first, count }: { first: Day; count: number }) => (
  <div class="day-heads">
    <span />
    {daysFrom(first, count).map((day) => (
      <a
        key={day}
        class={`day-head${day === today() ? ' today' : ''}`}
        href={addressOf({ view: 'day', day })}
        data-date={day}
        aria-current={day === today() ? 'date' : undefined}
      >
        <span aria-hidden="true">
          {weekdayText(weekdayOf(day), 'short')} <b class="d8 num">{dateText(day)}</b>
        </span>
        <span class="vh">{fullDayText(day)}</span>
      </a>
    ))}
  </div>
);

interface AllDayProps {
  readonly first: Day;
  readonly count: number;
  readonly items: readonly Item[];
  readonly stop: string | undefined;
  readonly endDrag: { current: (() => void) | undefined };
}

/** Events of whole days stand above the hours. */
function AllDayRow({ first, count, items, stop, endDrag }: AllDayProps) {
  const { calendar } = t();
  const bars = items.filter(({ isBar }) => isBar);
  const dragBar = (down: PointerEvent, item: Item, from: Day) => {
    down.stopPropagation();
    const byDays = (event: PointerEvent) => (dayOfElement(dayAt(event)) ?? from) - from;
    endDrag.current = startDrag(down, {
      onMove: () => undefined,
      onDrop: (event) => void shift(item, midnightOf(byDays(event))),
      onEnd: () => undefined,
    });
  };
  return (
    <div class="all-day" role="group" aria-label={calendar.allDay}>
      <span class="soft num" aria-hidden="true">
        {calendar.allDay}
      </span>
      {linesOfWeek(bars, first, count).map((inDay, nth) => {
        const day = first + nth;
        const rest = inDay.slice(MAX_BAR_LINES).filter((item) => item !== undefined).length;
        return (
          <div
            key={day}
            class="cell"
            data-day={day}
            onClick={(event) => {
              if (event.target === event.currentTarget) planAllDay(day);
            }}
          >
            {inDay
              .slice(0, MAX_BAR_LINES)
              .map((item, line) =>
                item ? (
                  <Chip
                    key={item.key}
                    item={item}
                    day={day}
                    rowStart={first}
                    rowEnd={first + count - 1}
                    isStop={item.key === stop}
                    onPointerDown={dragBar}
                  />
                ) : (
                  <span key={`blank ${line}`} class="ev blank" aria-hidden="true" />
                ),
              )}
            {rest > 0 && (
              <a
                class="ev more"
                href={addressOf({ view: 'list', day })}
                aria-label={`${calendar.more(rest)}, ${dayText(day)}`}
              >
                {calendar.more(rest)}
              </a>
            )}
          </div>
        );
      })}
    </div>
  );
}

function planAllDay(day: Day): void {
  const [start, end] = [midnightOf(day), midnightOf(day + 1)];
  calendarDialog.value = {
    kind: 'new',
    times: { start, end, tz: timeZone.peek(), allDay: true },
  };
}
