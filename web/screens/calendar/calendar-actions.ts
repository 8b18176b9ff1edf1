import { useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../i18n/calendar.ts';
import { to } from '../../app/address.ts';
import { useActions, type Action } from '../../keys/action.ts';
import { DAY_MS, MINUTE_MS, WEEK } from './days.ts';
import type { Item } from './items.ts';
import { requestDelete, requestMove, shift } from './move.ts';
import { planNext } from './plan-next.ts';
import { currentKey, isPanelOpen } from './sheet-state.ts';
import { addressOf, stepped, VIEWS, type Shown } from './view-state.ts';
import { today } from './zones.ts';

const QUARTER_MS = 15 * MINUTE_MS;
const VIEW_KEYS = { month: 'm', week: 'w', day: 'd', list: 'l' } as const;

const stops = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('#main .pane [data-key]'),
];

const focusedEvent = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('#main .pane [data-key]') ?? null;

/** The focus goes to the event before or after, in order of time. */
function walk(step: number): void {
  const all = stops();
  const focused = focusedEvent();
  const known = focused ?? all.find(({ dataset }) => dataset['key'] === currentKey.value);
  const at = known ? all.indexOf(known) : -1;
  const next = focused ? at + step : known ? at : step > 0 ? 0 : all.length - 1;
  const target = all[Math.max(0, Math.min(next, all.length - 1))];
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

/** From the number of a day to that of another, if it is shown. */
function walkDays(step: number): boolean {
  const from = document.activeElement?.closest<HTMLElement>('[data-date]');
  const day = Number(from?.dataset['date']) + step;
  const target = document.querySelector<HTMLElement>(`#main [data-date="${day}"]`);
  target?.focus();
  return target !== null;
}

const isOnDay = (): boolean => document.activeElement?.matches('#main [data-date]') === true;
const isInGrid = (): boolean => focusedEvent() !== null || isOnDay();
const hasNoMenu = (): boolean => document.querySelector(':popover-open') === null;

/** What the keys do in the calendar. */
export function useCalendarActions(shown: Shown, items: readonly Item[]): void {
  const { route } = useLocation();
  const state = useRef({ shown, items });
  state.current = { shown, items };
  useActions(
    useMemo(() => {
      const go = (next: Shown) => route(addressOf(next));
      const current = (): Item | undefined => {
        const key = focusedEvent()?.dataset['key'];
        return state.current.items.find((item) => item.key === key);
      };
      const withCurrent = (run: (item: Item) => void) => () => {
        const item = current();
        if (item) run(item);
      };
      const step = (by: number) => go(stepped(state.current.shown, by));
      const arrows = (days: number, events: number) => () => {
        if (!isOnDay()) walk(events);
        else if (!walkDays(days))
          go({ ...state.current.shown, day: state.current.shown.day + days });
      };
      return calendarActions({
        go,
        step,
        arrows,
        withCurrent,
        current,
        shown: () => state.current.shown,
        route,
      });
    }, [route]),
  );
}

interface Means {
  readonly go: (shown: Shown) => void;
  readonly step: (by: number) => void;
  readonly arrows: (days: number, events: number) => () => void;
  readonly withCurrent: (run: (item: Item) => void) => () => void;
  readonly current: () => Item | undefined;
  readonly shown: () => Shown;
  readonly route: (address: string) => void;
}

type Named = keyof ReturnType<typeof t>['calendar']['actions'];

export function calendarActions(means: Means): readonly Action[] {
  const { go, step, arrows, withCurrent, current, shown, route } = means;
  const action = (
    id: Named,
    keys: readonly string[],
    run: () => void,
    more: Partial<Action> = {},
  ): Action => ({
    id: `calendar-${id}`,
    group: 'calendar',
    label: () => t().calendar.actions[id],
    keys,
    run,
    ...more,
  });
  const isVertical = () => shown().view === 'week' || shown().view === 'day';
  const onEvent = { notInPalette: true, isEnabled: () => current() !== undefined } as const;
  const inGrid = { notInPalette: true, isEnabled: () => isInGrid() && hasNoMenu() } as const;
  const upOrDown = (sign: number) =>
    withCurrent((item) => {
      const isTimed = isVertical() && !item.data.all_day;
      void shift(item, sign * (isTimed ? QUARTER_MS : WEEK * DAY_MS));
    });
  const longer = (sign: number) =>
    withCurrent((item) => {
      const end = item.end + sign * (item.data.all_day ? DAY_MS : QUARTER_MS);
      if (end > item.start) void requestMove(item, item.start, end);
    });
  return [
    action('new', ['a'], () => planNext(dayInFocus() ?? shown().day)),
    ...VIEWS.map((view) =>
      action(view, [VIEW_KEYS[view]], () => go({ view, day: dayInFocus() ?? shown().day })),
    ),
    action('today', ['t'], () => go({ view: shown().view, day: today() })),
    action('before', ['[', 'Shift+K'], () => step(-1)),
    action('after', [']', 'Shift+J'], () => step(1)),
    action('nextEvent', ['j'], () => walk(1), { notInPalette: true, isEnabled: hasNoMenu }),
    action('previousEvent', ['k'], () => walk(-1), { notInPalette: true, isEnabled: hasNoMenu }),
    action('down', ['ArrowDown'], arrows(WEEK, 1), inGrid),
    action('up', ['ArrowUp'], arrows(-WEEK, -1), inGrid),
    action('right', ['ArrowRight'], arrows(1, 1), inGrid),
    action('left', ['ArrowLeft'], arrows(-1, -1), inGrid),
    action(
      'moveLater',
      ['Alt+ArrowRight'],
      withCurrent((item) => void shift(item, DAY_MS)),
      onEvent,
    ),
    action(
      'moveEarlier',
      ['Alt+ArrowLeft'],
      withCurrent((item) => void shift(item, -DAY_MS)),
      onEvent,
    ),
    action('moveDown', ['Alt+ArrowDown'], upOrDown(1), onEvent),
    action('moveUp', ['Alt+ArrowUp'], upOrDown(-1), onEvent),
    action('longer', ['Alt+Shift+ArrowDown'], longer(1), onEvent),
    action('shorter', ['Alt+Shift+ArrowUp'], longer(-1), onEvent),
    action(
      'delete',
      ['Delete', '#'],
      withCurrent((item) => void requestDelete(item)),
      onEvent,
    ),
    action('panel', ['i'], () => void (isPanelOpen.value = !isPanelOpen.value)),
    action('exchange', [], () => route(to('/calendar/exchange'))),
  ];
}

function dayInFocus(): number | undefined {
  const { activeElement: active } = document;
  const day = active?.closest<HTMLElement>('#main [data-day], #main [data-date]');
  const text = day?.dataset['day'] ?? day?.dataset['date'];
  return text === undefined ? undefined : Number(text);
}
