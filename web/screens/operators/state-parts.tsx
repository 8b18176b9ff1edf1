import type { components } from '../../api/schema.js';
import { formatMoment, formatNumber, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/operators.ts';
import { Icon } from '../../ui/icon.tsx';
import { Setting } from '../settings/setting.tsx';

export type OperatorState = components['schemas']['OperatorState'];

const DAY_MS = 86_400_000;

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt class="grow">{name}</dt>
    <dd class="num">{value}</dd>
  </div>
);

export function Versions({ state }: { state: OperatorState }) {
  const { operators } = t();
  const profiles = new Map(Object.entries(operators.profiles));
  return (
    <Setting title={operators.versions}>
      <dl class="entries">
        <Fact name={operators.program} value={state.version} />
        <Fact
          name={operators.schema}
          value={state.schema === null ? '–' : formatNumber(state.schema)}
        />
        <Fact name={operators.runtime} value={state.runtime} />
        <Fact name={operators.profile} value={profiles.get(state.profile) ?? state.profile} />
        <Fact name={operators.startedAt} value={formatMoment(state.started_at)} />
      </dl>
    </Setting>
  );
}

export function Storage({ state: { storage } }: { state: OperatorState }) {
  const { operators } = t();
  return (
    <Setting title={operators.storage} hint={operators.storageHint}>
      <dl class="entries">
        <Fact name={operators.place} value={operators.places[storage.stored_in]} />
        <Fact name={operators.files} value={formatNumber(storage.files)} />
        <Fact name={operators.size} value={formatSize(storage.bytes)} />
        <Fact
          name={operators.free}
          value={storage.free_bytes === null ? operators.unknown : formatSize(storage.free_bytes)}
        />
      </dl>
    </Setting>
  );
}

export function BackupPart({ backup }: { backup: OperatorState['backup'] }) {
  const { operators } = t();
  const isOld = !backup || Date.now() - Date.parse(backup.at) > 2 * DAY_MS;
  const isDamaged = backup?.complete === false;
  return (
    <Setting title={operators.backup} hint={operators.backupHint}>
      <div class={`result${isDamaged ? ' bad' : ''}`}>
        <Icon name={isOld || isDamaged ? 'alert' : 'check'} />
        <p>
          {backup ? operators.backupAt(formatMoment(backup.at)) : operators.noBackup}
          {backup && isOld && ` ${operators.backupOld}`}
          {isDamaged && ` ${operators.damaged}`}
        </p>
      </div>
    </Setting>
  );
}
