import { useState } from 'preact/hooks';
import { noteChange } from '../../data/live.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { Refused, useAttempt } from '../settings/attempt.tsx';
import { addPasskey } from '../sign-in/passkey.ts';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';
import { deviceName } from './device-name.ts';
import { useId } from '../../ui/use-id.ts';

/** A passkey is offered under the name of the device. */
export function PasskeyStep({ state }: { state: Progress['passkey'] }) {
  const text = welcomeText();
  const id = useId();
  const attempt = useAttempt();
  const [name, setName] = useState(deviceName);
  if (state === 'impossible') return null;
  if (state === 'made')
    return <Step icon="key" title={text.passkey} isDone text={text.passkeyMade} />;
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await attempt.run(() => addPasskey(name))) noteChange('access');
  };
  return (
    <Step icon="key" title={text.passkey} text={text.passkeyWhy}>
      <form class="form" onSubmit={(event) => void make(event)}>
        <div class="field">
          <label for={id}>{settingsText().passkeyName}</label>
          <input
            id={id}
            class="input"
            required
            maxLength={100}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </div>
        <button type="submit" class="button strong small" disabled={attempt.isBusy}>
          {text.passkey}
        </button>
      </form>
      <Refused error={attempt.error} />
    </Step>
  );
}
