import { settingsText } from '../../i18n/settings-text.ts';
import { isDense } from '../../state/preferences.ts';
import { changeLook, lookOf, type Look } from '../../state/settings.ts';
import { Refused, useAttempt } from './attempt.tsx';
import { Segments } from './choice.tsx';
import { LanguageChoice, ZoneChoice } from './region-choices.tsx';
import { Setting } from './setting.tsx';
import { WithSettings } from './with-settings.tsx';

/** Language, time zone, light or dark, how close together rows are. Each is saved when it is chosen. */
export default function LookSection() {
  const text = settingsText();
  const attempt = useAttempt();
  const change = (look: { [K in keyof Look]: Look[K] | undefined }) =>
    void attempt.run(() => changeLook(look));
  return (
    <WithSettings>
      {(settings) => {
        const look = lookOf(settings);
        return (
          <>
            <Refused error={attempt.error} />
            <Setting title={text.language} hint={text.languageHint}>
              <LanguageChoice look={look} attempt={attempt} />
            </Setting>
            <Setting title={text.zone} hint={text.zoneHint}>
              <ZoneChoice attempt={attempt} />
            </Setting>
            <Setting title={text.scheme}>
              <Segments
                label={text.scheme}
                value={look.scheme ?? 'auto'}
                options={(['auto', 'light', 'dark'] as const).map((each) => [
                  each,
                  text.schemes[each],
                ])}
                onChoose={(each) => change({ scheme: each === 'auto' ? undefined : each })}
              />
              <Segments
                label={text.density}
                value={isDense.value ? 'dense' : 'roomy'}
                options={(['roomy', 'dense'] as const).map((each) => [each, text.densities[each]])}
                onChoose={(each) => change({ dense: each === 'dense' ? true : undefined })}
              />
            </Setting>
          </>
        );
      }}
    </WithSettings>
  );
}
