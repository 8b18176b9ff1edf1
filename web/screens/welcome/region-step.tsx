import { useEffect } from 'preact/hooks';
import { LANGUAGE_NAMES, language } from '../../i18n/language.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { deviceZone, timeZone } from '../../state/preferences.ts';
import { changeSettings, lookOf, settings } from '../../state/settings.ts';
import { Refused, useAttempt } from '../settings/attempt.tsx';
import { LanguageChoice, ZoneChoice } from '../settings/region-choices.tsx';
import { Step } from './step.tsx';

/**
 * Language and zone as the device has them. The zone is stored the first time: the service needs it for reminders, and has
 * UTC until then.
 */
export function RegionStep() {
  const text = welcomeText();
  const attempt = useAttempt();
  const { value: read } = settings;
  useEffect(() => {
    if (!read || read.timezone !== 'UTC' || deviceZone === 'UTC') return;
    const { welcome, has_zone: hasZone } = lookOf(read);
    if (welcome === undefined && hasZone !== true)
      void attempt.run(() => changeSettings({ timezone: deviceZone }));
    // What the service has at first decides; later changes are the owner's.
  }, [read === undefined]);
  return (
    <Step
      icon="person"
      title={text.youAreIn}
      isDone
      text={
        <>
          {text.linkUsed}{' '}
          {text.region(LANGUAGE_NAMES[language.value], timeZone.value.replaceAll('_', ' '))}
        </>
      }
    >
      {read && (
        <details class="more">
          <summary class="act">{text.change}</summary>
          <div class="form">
            <LanguageChoice look={lookOf(read)} attempt={attempt} />
            <ZoneChoice attempt={attempt} />
          </div>
        </details>
      )}
      <Refused error={attempt.error} />
    </Step>
  );
}
