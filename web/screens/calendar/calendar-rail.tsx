import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/calendar.ts';
import { Icon } from '../../ui/icon.tsx';
import { addMonths, daysFrom, monthStart, partsOf, WEEK, weeksOfMonth, type Day } from './days.ts';
import {
  dateText,
  firstWeekday,
  fullDayText,
  monthText,
  weekdays,
  weekdayText,
} from './formats.ts';
import { addressOf, shownOf } from './view-state.ts';
import { today } from './zones.ts';

/** The small month in the rail, and the exchange with other calendars. */
export default function CalendarRail() {
  const { calendar } = t();
  const { query } = useLocation();
  const shown = shownOf(query);
  const [turned, setTurned] = useState({ of: shown.day, by: 0 });
  const by = turned.of === shown.day ? turned.by : 0;
  const month = addMonths(monthStart(shown.day), by);
  const turn = (step: number) => setTurned({ of: shown.day, by: by + step });
  const { rail } = calendar;
  return (
    <>
      <div class="below-head">
        <h2 aria-live="polite">{monthText(month)}</h2>
        <span>
          <button
            type="button"
            class="tool small"
            aria-label={calendar.before.month}
            onClick={() => turn(-1)}
          >
            <Icon name="left" small flip />
          </button>
          <button
            type="button"
            class="tool small"
            aria-label={calendar.after.month}
            onClick={() => turn(1)}
          >
            <Icon name="right" small flip />
          </button>
        </span>
      </div>
      <div class="mini">
        {weekdays().map((weekday) => (
          <span key={weekday} aria-hidden="true">
            {weekdayText(weekday, 'narrow')}
          </span>
        ))}
        {weeksOfMonth(month, firstWeekday.value)
          .flatMap((start) => daysFrom(start, WEEK))
          .map((day) => (
            <MiniDay key={day} day={day} month={month} shown={shown.day} view={shown.view} />
          ))}
      </div>
      <ul class="tree loose">
        {(
          [
            ['in', 'upload'],
            ['out', 'download'],
            ['feed', 'link'],
          ] as const
        ).map(([id, icon]) => (
          <li key={id}>
            <a class="leaf" href={to('/calendar/exchange')}>
              <Icon name={icon} />
              <span>{rail[id]}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

interface MiniDayProps {
  readonly day: Day;
  readonly month: Day;
  readonly shown: Day;
  readonly view: ReturnType<typeof shownOf>['view'];
}

const MiniDay = ({ day, month, shown, view }: MiniDayProps) => (
  <a
    class={`${partsOf(day).month === partsOf(month).month ? '' : 'out'}${day === shown ? ' shown' : ''}`}
    href={addressOf({ view, day })}
    aria-label={fullDayText(day)}
    aria-current={day === today() ? 'date' : undefined}
  >
    {dateText(day)}
  </a>
);
