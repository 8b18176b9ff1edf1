import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { PinFailure } from '../../../app/zone/pin-failure.tsx';
import { noteChange } from '../../../data/live.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { openZone, openZoneWith } from '../../../state/zone.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { PinField, type PinFormProps } from './pin-field.tsx';
import { RemovePin } from './remove-pin.tsx';

/** Sets, changes and removes the PIN of the hidden zone. It does not say whether something is hidden. */
export default function HiddenSection() {
  const text = settingsText();
  const { data, error, reload } = useResource('hidden zone', (signal) =>
    reply(api.GET('/v1/hidden-pin', { signal })),
  );
  if (error !== undefined && !data) return <Failed error={error} retry={reload} />;
  if (!data) return <Working>{t().shell.loading}</Working>;
  const { configured, locked_until: lockedUntil } = data;
  const until = lockedUntil ?? undefined;
  return (
    <Setting title={text.pinTitle} hint={configured ? text.pinHint : text.pinOpenHint}>
      <SetPin key={String(configured)} isSet={configured} until={until} reload={reload} />
    </Setting>
  );
}

function SetPin({ isSet, until, reload }: PinFormProps & { isSet: boolean }) {
  const text = settingsText();
  const attempt = useAttempt();
  const [pin, setPin] = useState('');
  const [oldPin, setOldPin] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const isDone = await attempt.run(() => setPinTo(pin, isSet ? oldPin : undefined));
    setOldPin('');
    if (isDone) setPin('');
    if (isDone) toast(isSet ? text.pinChanged : text.pinIsSet);
    reload();
  };
  const isClosed = attempt.isBusy || until !== undefined;
  return (
    <>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {isSet && <PinField label={text.currentPin} value={oldPin} onInput={setOldPin} />}
        <PinField label={text.newPin} value={pin} onInput={setPin} />
        <PinFailure id="pin-failure" failure={attempt.error} until={until} onEnd={reload} />
        <div class="buttons">
          <button type="submit" class="button" disabled={isClosed}>
            {attempt.isBusy ? text.saving : isSet ? text.changePin : text.setPin}
          </button>
          {isSet && (
            <button type="button" class="button plain danger" onClick={() => setRemoving(true)}>
              {text.removePin}
            </button>
          )}
        </div>
      </form>
      {isRemoving && <RemovePin until={until} reload={reload} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** A new PIN ends earlier unlock tokens and comes with one. It is used where the zone is open, and ended where it is not. */
async function setPinTo(pin: string, oldPin: string | undefined): Promise<void> {
  const body = { pin, ...(oldPin !== undefined && { old_pin: oldPin }) };
  const { token, expires_in: seconds } = await reply(api.POST('/v1/hidden-pin', { body }));
  if (openZone.peek()) {
    openZoneWith(token, seconds);
    // What was loaded meanwhile with the token that had ended was refused.
    noteChange('objects', 'folders', 'chats');
  } else await reply(api.POST('/v1/hidden-pin/lock'));
}
