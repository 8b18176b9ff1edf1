import { formatNumber } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { t } from '../../i18n/operators.ts';
import { ReportTable } from '../settings/report-table.tsx';
import { Setting } from '../settings/setting.tsx';
import type { OperatorState } from './state-parts.tsx';

type Queue = OperatorState['queues'][number];

const MINUTE_MS = 60_000;
/** From so many on the next unit is used. */
const MAX_MINUTES = 120;
const MAX_HOURS = 48;

/** Background tasks by kind. */
export function Queues({ queues }: { queues: readonly Queue[] }) {
  const { operators } = t();
  const { kind, waiting, running, failed, overdue } = operators;
  return (
    <Setting title={operators.queues} hint={operators.queuesHint}>
      {queues.length === 0 ? (
        <p class="soft">{operators.noTasks}</p>
      ) : (
        <ReportTable
          label={operators.queuesHint}
          columns={[kind, waiting, running, failed, overdue]}
        >
          {queues.map((queue) => (
            <tr key={queue.kind}>
              <th scope="row" class="mono">
                {queue.kind}
              </th>
              <td class="num">{formatNumber(queue.waiting)}</td>
              <td class="num">{formatNumber(queue.running)}</td>
              <td class={`num${queue.failed > 0 ? ' bad-count' : ''}`}>
                {formatNumber(queue.failed)}
              </td>
              <td class="num">{overdueOf(queue)}</td>
            </tr>
          ))}
        </ReportTable>
      )}
    </Setting>
  );
}

/** How long the oldest task could have run already. A task that is planned for later is not overdue. */
function overdueOf({ oldest_due_at: due }: Queue): string {
  const minutes = due === null ? 0 : Math.floor((Date.now() - Date.parse(due)) / MINUTE_MS);
  if (minutes < 1) return '–';
  if (minutes < MAX_MINUTES) return inUnit(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < MAX_HOURS ? inUnit(hours, 'hour') : inUnit(Math.floor(hours / 24), 'day');
}

const inUnit = (value: number, unit: string): string =>
  new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
