import { settingsText } from '../../i18n/settings-text.ts';
import { changeSettings, type SettingsChange } from '../../state/settings.ts';
import { Refused, useAttempt } from './attempt.tsx';
import { Segments, Switch } from './choice.tsx';
import { Setting } from './setting.tsx';
import { WithSettings } from './with-settings.tsx';

/** How documents are named, and what is remembered of conversations. */
export default function FilingSection() {
  const text = settingsText();
  const attempt = useAttempt();
  const change = (change: SettingsChange) => void attempt.run(() => changeSettings(change));
  return (
    <WithSettings>
      {(settings) => (
        <>
          <Refused error={attempt.error} />
          <Setting title={text.renaming} hint={text.renamingHint}>
            <Segments
              label={text.renaming}
              value={settings.auto_rename_mode}
              options={(['auto', 'suggest', 'dont_rename'] as const).map((each) => [
                each,
                text.renamingOf[each],
              ])}
              onChoose={(mode) => change({ auto_rename_mode: mode })}
            />
          </Setting>
          <Setting title={text.conversations}>
            <Switch
              label={text.chatMemory}
              isOn={settings.chat_memory}
              onSwitch={(isOn) => change({ chat_memory: isOn })}
            />
          </Setting>
        </>
      )}
    </WithSettings>
  );
}
