import { browserLanguage, LANGUAGE_NAMES, LANGUAGES } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { deviceZone, timeZone } from '../../state/preferences.ts';
import { changeLook, type Look } from '../../state/settings.ts';
import type { Attempt } from './attempt.tsx';
import { Choice } from './choice.tsx';

/** The language of the app. It is saved when it is chosen. */
export function LanguageChoice({ look, attempt }: { look: Look; attempt: Attempt }) {
  const text = settingsText();
  return (
    <Choice
      label={text.language}
      value={look.language ?? 'browser'}
      options={[
        ['browser', text.ofBrowser(LANGUAGE_NAMES[browserLanguage()])],
        ...LANGUAGES.map((each) => [each, LANGUAGE_NAMES[each]] as const),
      ]}
      onChoose={(chosen) =>
        void attempt.run(() => changeLook({ language: chosen === 'browser' ? undefined : chosen }))
      }
    />
  );
}

/** The zone of days, times and reminders. It is saved when it is chosen. */
export const ZoneChoice = ({ attempt }: { attempt: Attempt }) => (
  <Choice
    label={settingsText().zone}
    value={timeZone.value}
    options={zonesWith(timeZone.value).map((zone) => [zone, zone.replaceAll('_', ' ')])}
    onChoose={(timezone) => void attempt.run(() => changeLook({ has_zone: true }, { timezone }))}
  />
);

/** The zones that the browser knows, and those in use, which it may know by another name. */
const zonesWith = (zone: string): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', deviceZone, zone])].toSorted();
