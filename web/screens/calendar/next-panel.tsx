import { t } from '../../i18n/calendar.ts';
import { timeZone } from '../../state/preferences.ts';
import { Failed } from '../../ui/notice.tsx';
import { useAgenda } from './agenda.ts';
import { DayList } from './day-list.tsx';
import { useEventDetails } from './event-details.ts';
import { today, zoneName } from './zones.ts';

const DAYS = 60;
const MAX_SHOWN = 30;

/** What comes next, beside the grid. */
export function NextPanel() {
  const { calendar } = t();
  const first = today();
  const { data, error, reload } = useAgenda(first, DAYS, MAX_SHOWN);
  const details = useEventDetails(data?.items);
  return (
    <aside class="panel" aria-label={calendar.next}>
      <div class="panel-bar">
        <h2 class="grow">{calendar.next}</h2>
        <span class="soft">{zoneName(timeZone.value)}</span>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={calendar.next}>
        <div class="panel-in">
          {error !== undefined && <Failed error={error} retry={reload} />}
          {data?.items.length === 0 && <p class="soft">{calendar.nothingNext}</p>}
          {details.error !== undefined && <Failed error={details.error} retry={details.reload} />}
          {data && (
            <DayList
              items={data.items}
              first={first}
              last={first + DAYS - 1}
              details={details.data}
            />
          )}
        </div>
      </div>
    </aside>
  );
}
