import { useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { useAgenda, type Agenda } from './agenda.ts';
import type { Day } from './days.ts';
import { DayList } from './day-list.tsx';
import { useEventDetails } from './event-details.ts';
import { fullDayText } from './formats.ts';
import { LIST_DAYS } from './view-state.ts';
import { planNext } from './plan-next.ts';

/** The service has windows of at most 400 days. */
const MAX_DAYS = 360;

/** Everything from a day on, by day. */
export function ListView({ first }: { first: Day }) {
  const { calendar } = t();
  const [count, setCount] = useState(LIST_DAYS);
  const { data: loaded, error, isLoading, reload } = useAgenda(first, count);
  // What is shown stays while more is loaded.
  const before = useRef<Agenda>(undefined);
  before.current = loaded ?? before.current;
  const { current: data } = before;
  const details = useEventDetails(data?.items);
  const last = first + count - 1;
  const hasLater = count < MAX_DAYS;
  return (
    <div class="scroll event-list" tabIndex={0} role="region" aria-label={calendar.views.list}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {details.error !== undefined && <Failed error={details.error} retry={details.reload} />}
      {data?.items.length === 0 && (
        <Empty title={calendar.nothing}>
          <p>{calendar.nothingUntil(fullDayText(last))}</p>
          <button type="button" class="button strong" onClick={() => planNext(first)}>
            {calendar.newEvent}
          </button>
        </Empty>
      )}
      {data && (
        <DayList items={data.items} first={first} last={last} isMain details={details.data} />
      )}
      {data?.hasMore && <p class="soft">{calendar.tooMany}</p>}
      {data && hasLater && (
        <button
          type="button"
          class="button"
          onClick={() => setCount(Math.min(count + LIST_DAYS, MAX_DAYS))}
        >
          {calendar.showLater}
        </button>
      )}
      {!data && isLoading && <Working>{calendar.loading}</Working>}
    </div>
  );
}
