import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/calendar.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Failed } from '../../ui/notice.tsx';
import { Screen, ScreenHeading } from '../../ui/screen.tsx';
import { useAgenda } from './agenda.ts';
import { useCalendarActions } from './calendar-actions.ts';
import { refusal } from './changes.ts';
import { daysFrom } from './days.ts';
import { CalendarDialogs } from './dialogs.tsx';
import type { Item } from './items.ts';
import { ListView } from './list-view.tsx';
import { MonthView } from './month-view.tsx';
import { useNarrow } from './narrow.ts';
import { NextPanel } from './next-panel.tsx';
import { openFromAddress } from './open-from-address.ts';
import { planNext } from './plan-next.ts';
import { closeDialog, currentKey, isPanelOpen } from './sheet-state.ts';
import { TimeGrid } from './time-grid.tsx';
import { addressOf, spanOf, stepped, titleOf, VIEWS, type Shown } from './view-state.ts';
import { today } from './zones.ts';
import { DayList } from './day-list.tsx';

/** The calendar in one of its views, with the agenda beside it. */
export function CalendarView({ shown }: { shown: Shown }) {
  const { calendar } = t();
  const { query, route } = useLocation();
  const { first, count } = spanOf(shown);
  const agenda = useAgenda(first, count);
  const items = agenda.data?.items ?? [];
  const event = query['event'];
  useCalendarActions(shown, items);
  useFocusStays(items);
  useEffect(() => {
    if (event === undefined) return;
    const controller = new AbortController();
    openFromAddress(event, query['at'], controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) refusal.value = error;
    });
    return () => controller.abort();
  }, [event, query['at']]);
  useEffect(
    () => () => {
      closeDialog();
      refusal.value = undefined;
      currentKey.value = undefined;
    },
    [],
  );
  const hasPanel = isPanelOpen.value && shown.view !== 'list';
  const title = titleOf(shown);
  return (
    <Screen
      title={title}
      sheet={`slim-panel calendar${shown.view === 'month' ? ' keep' : ''}`}
      head={<CalendarHead shown={shown} title={title} />}
      panel={hasPanel && <NextPanel />}
    >
      {refusal.value !== undefined && (
        <div class="list-note">
          <Failed error={refusal.value} />
        </div>
      )}
      {agenda.error !== undefined && shown.view !== 'list' && (
        <div class="list-note">
          <Failed error={agenda.error} retry={agenda.reload} />
        </div>
      )}
      {agenda.data?.hasMore && <p class="list-note soft">{calendar.tooMany}</p>}
      {agenda.data?.items.length === 0 && shown.view !== 'list' && (
        <p class="nothing soft">
          {calendar.nothing}{' '}
          <button type="button" class="act" onClick={() => planNext(shown.day)}>
            {calendar.newEvent}
          </button>
        </p>
      )}
      <View shown={shown} items={items} title={title} />
      <CalendarDialogs onClose={() => event !== undefined && route(addressOf(shown), true)} />
    </Screen>
  );
}

function View({ shown, items, title }: { shown: Shown; items: readonly Item[]; title: string }) {
  const { calendar } = t();
  const isNarrow = useNarrow();
  const { first, count } = spanOf(shown);
  if (shown.view === 'list') return <ListView key={first} first={first} />;
  if (shown.view === 'month')
    return <MonthView shown={shown} first={first} count={count} items={items} label={title} />;
  // Seven columns are too narrow for a phone: the same days one below the other.
  if (shown.view === 'week' && isNarrow)
    return (
      <div class="scroll event-list" tabIndex={0} role="region" aria-label={calendar.views.week}>
        <DayList
          items={items}
          first={first}
          last={first + count - 1}
          days={daysFrom(first, count)}
          isMain
        />
      </div>
    );
  return (
    <TimeGrid first={first} count={count} items={items} label={`${calendar.title}: ${title}`} />
  );
}

function CalendarHead({ shown, title }: { shown: Shown; title: string }) {
  const { calendar } = t();
  const { route } = useLocation();
  const { view } = shown;
  return (
    <div class="head calendar-head">
      <ScreenHeading>{title}</ScreenHeading>
      <div class="buttons">
        <a
          class="tool small"
          href={addressOf(stepped(shown, -1))}
          aria-label={calendar.before[view]}
        >
          <Icon name="left" small flip />
        </a>
        <a class="button small" href={addressOf({ view, day: today() })}>
          {calendar.today}
        </a>
        <a class="tool small" href={addressOf(stepped(shown, 1))} aria-label={calendar.after[view]}>
          <Icon name="right" small flip />
        </a>
      </div>
      <div class="end">
        <div class="segmented" role="group" aria-label={calendar.view}>
          {VIEWS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === view}
              onClick={() => route(addressOf({ view: each, day: shown.day }))}
            >
              {calendar.views[each]}
            </button>
          ))}
        </div>
        <button type="button" class="button" onClick={() => planNext(shown.day)}>
          <Icon name="plus" />
          <span class="words">{calendar.event}</span>
        </button>
        <Menu button={<Icon name="more" />} label={calendar.moreActions}>
          <a href={to('/calendar/exchange')}>
            <Icon name="upload" />
            {calendar.exchange}
          </a>
        </Menu>
      </div>
    </div>
  );
}

/** An event that moves is another element at its new day: the focus stays on the event. */
function useFocusStays(items: readonly Item[]): void {
  const focused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const note = () => {
      const key = document.activeElement?.closest<HTMLElement>('#main .pane [data-key]');
      focused.current = key?.dataset['key'];
    };
    addEventListener('focusin', note);
    return () => removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    const { current } = focused;
    if (current === undefined || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`#main .pane [data-key="${CSS.escape(current)}"]`)?.focus();
  }, [items]);
}
