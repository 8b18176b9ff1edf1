import { formatMoment } from '../../i18n/format.ts';
import { t } from '../../i18n/operators.ts';
import { Setting } from '../settings/setting.tsx';
import type { OperatorState } from './state-parts.tsx';

/** The last run of the fault-injection drills. */
export function Drills({ drills }: { drills: OperatorState['drills'] }) {
  const { operators } = t();
  if (!drills)
    return (
      <Setting title={operators.drills} hint={operators.drillsHint}>
        <p class="soft">{operators.noDrills}</p>
      </Setting>
    );
  const failed = drills.items.filter(({ passed }) => !passed).length;
  return (
    <Setting title={operators.drills} hint={operators.drillsHint}>
      <p>
        {operators.drillsAt(formatMoment(drills.at))}{' '}
        {failed > 0 ? operators.drillsFailed(failed) : operators.drillsPassed(drills.items.length)}
        {drills.skipped > 0 && ` ${operators.drillsSkipped(drills.skipped)}`}
      </p>
      <dl class="entries">
        {drills.items.map(({ name, profile, passed }) => (
          <div key={`${name} ${profile}`}>
            <dt class="grow">
              <span class="mono">{name}</span> <span class="soft">{profile}</span>
            </dt>
            <dd class={passed ? '' : 'bad-count'}>{passed ? operators.passed : operators.broke}</dd>
          </div>
        ))}
      </dl>
    </Setting>
  );
}
