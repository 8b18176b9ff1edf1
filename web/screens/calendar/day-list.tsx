import { t } from '../../i18n/calendar.ts';
import { asHeading } from '../../i18n/format.ts';
import { to, ROOT } from '../../app/address.ts';
import { Icon } from '../../ui/icon.tsx';
import { partsOf, type Day } from './days.ts';
import { dayText, fullDayText } from './formats.ts';
import { wordsOfDetails, type EventDetails } from './event-details.ts';
import { byDay, type CalendarEvent, type Item } from './items.ts';
import { openItem } from './chip.tsx';
import { detailOf, leadOf } from './event-words.ts';
import { describedBy } from './from-document.ts';
import { currentKey } from './sheet-state.ts';
import { today } from './zones.ts';

interface DayListProps {
  readonly items: readonly Item[];
  readonly first: Day;
  readonly last: Day;
  /** Days that are shown even without events. */
  readonly days?: readonly Day[];
  /** Whether the keys walk through it. */
  readonly isMain?: boolean;
  /** Of the events that say how they repeat, and when they remind. */
  readonly details?: EventDetails | undefined;
}

/** Events by day, one line each. */
export function DayList({ items, first, last, days, isMain, details }: DayListProps) {
  const planned = byDay(items, first, last);
  // A series says how it repeats once.
  const firstOf = new Map([...planned.values()].flat().reverse().map(toFirst));
  const { year } = partsOf(today());
  const Heading = isMain ? 'h2' : 'h3';
  return (
    <div class="agenda">
      {(days ?? [...planned.keys()]).map((day) => (
        <section key={day}>
          <Heading class="day">
            <DayName day={day} withYear={partsOf(day).year !== year} />
          </Heading>
          <ul>
            {(planned.get(day) ?? []).map((item) => (
              <Line
                key={item.key}
                item={item}
                day={day}
                isMain={isMain === true}
                event={details?.get(item.data.event_id)}
                isFirstOf={firstOf.get(item.data.event_id) === item.key}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const toFirst = ({ key, data }: Item) => [data.event_id, key] as const;

function DayName({ day, withYear }: { day: Day; withYear: boolean }) {
  const { calendar } = t();
  const now = today();
  const near = day === now ? calendar.today : day === now + 1 ? calendar.tomorrow : '';
  const text = withYear ? fullDayText(day) : dayText(day);
  return (
    <>
      {near && <b>{near}</b>} <span>{near ? text : asHeading(text)}</span>
    </>
  );
}

interface LineProps {
  readonly item: Item;
  readonly day: Day;
  readonly isMain: boolean;
  readonly event: CalendarEvent | undefined;
  /** The first occurrence in the list. */
  readonly isFirstOf: boolean;
}

function Line({ item, day, isMain, event, isFirstOf }: LineProps) {
  const { calendar } = t();
  const { data } = item;
  const { source } = describedBy(data.description);
  const detail = detailOf(item);
  const words = event && wordsOfDetails(event, isFirstOf);
  const isFirst = item.firstDay === day;
  const state = data.status === 'confirmed' ? '' : ` ${data.status}`;
  return (
    <li class={`it${state}`}>
      <time>{isFirst ? leadOf(item) : '…'}</time>
      <span>
        <button
          type="button"
          class="line"
          data-key={isMain && isFirst ? item.key : undefined}
          data-event={data.event_id}
          onFocus={() => void (isMain && (currentKey.value = item.key))}
          onClick={() => openItem(item)}
        >
          <bdi>{data.title}</bdi>
        </button>
        {detail && <span class="more-of">{detail}</span>}
        {words && <span class="more-of">{words}</span>}
        {source && (
          <a class="act" href={to(source.path.slice(ROOT.length))}>
            {calendar.fromDocument}
          </a>
        )}
      </span>
      {data.recurring && (
        <span title={calendar.repeats}>
          <Icon name="repeat" />
          <span class="vh">{calendar.repeats}</span>
        </span>
      )}
    </li>
  );
}
