import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { ApiError, reply } from '../../../api/errors.ts';
import { PinFailure } from '../../../app/zone/pin-failure.tsx';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { lockZone } from '../../../state/zone.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { PinField, type PinFormProps } from './pin-field.tsx';

/** Asks before the PIN is removed: what is hidden opens without it afterwards. */
export function RemovePin({ until, reload, onClose }: PinFormProps & { onClose: () => void }) {
  const text = settingsText();
  const attempt = useAttempt();
  const [pin, setPin] = useState('');
  const remove = async () => {
    const isDone = await attempt.run(() => reply(api.DELETE('/v1/hidden-pin', { body: { pin } })));
    setPin('');
    reload();
    if (!isDone) return;
    onClose();
    toast(text.pinRemoved);
    // Its unlock tokens have ended with it.
    await lockZone();
  };
  const { error } = attempt;
  const isStale = error instanceof ApiError && error.code === 'sign_in_again';
  return (
    <Dialog
      title={text.removePinTitle}
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button
            type="submit"
            class="button danger"
            disabled={attempt.isBusy || until !== undefined}
          >
            {text.removePin}
          </button>
        </>
      }
    >
      <p>{text.removePinHint}</p>
      <PinField label={text.currentPin} value={pin} onInput={setPin} />
      {isStale ? (
        <Refused error={error} />
      ) : (
        <PinFailure id="remove-failure" failure={error} until={until} onEnd={reload} />
      )}
    </Dialog>
  );
}
