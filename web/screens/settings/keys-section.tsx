import { t } from '../../i18n/own-keys.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { currentActions } from '../../keys/action.ts';
import { KeyRow } from '../../keys/key-row.tsx';
import { hasSingleKeys } from '../../state/preferences.ts';
import { changeLook } from '../../state/settings.ts';
import { Refused, useAttempt } from './attempt.tsx';
import { Switch } from './choice.tsx';
import { Setting } from './setting.tsx';

/** Whether keys act alone, and which ones there are. */
export default function KeysSection() {
  const text = settingsText();
  const attempt = useAttempt();
  const change = (isOn: boolean) =>
    void attempt.run(() => changeLook({ single_keys: isOn ? undefined : false }));
  const actions = currentActions().filter(({ keys }) => keys && keys.length > 0);
  return (
    <>
      <Refused error={attempt.error} />
      <Setting title={text.singleKeys} hint={text.singleKeysHint}>
        <Switch label={text.singleKeysOn} isOn={hasSingleKeys.value} onSwitch={change} />
      </Setting>
      <Setting title={text.allKeys} hint={t().ownKeys.elsewhere}>
        <dl class="entries">
          {actions.map((action) => (
            <KeyRow key={action.id} action={action} />
          ))}
        </dl>
      </Setting>
    </>
  );
}
