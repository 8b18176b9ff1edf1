import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/language.ts';
import type { TypedAhead } from '../../keys/typed-ahead.ts';
import { openZoneWith } from '../../state/zone.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { removeLeftChats } from './left-chats.ts';
import { PinFailure } from './pin-failure.tsx';

interface PinDialogProps {
  /** The zone is open, and stays open for longer. */
  readonly isStaying?: boolean;
  /** What was typed before the dialog was there. */
  readonly typed?: TypedAhead;
  readonly onClose: () => void;
}

/** Asks for the PIN of the hidden zone, or for a first one. */
export default function PinDialog({ isStaying = false, typed, onClose }: PinDialogProps) {
  const { hidden, shell } = t();
  const [pin, setPin] = useState(() => typed?.take() ?? '');
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  // Submitted before it was known whether the zone has a PIN.
  const [isEarly, setEarly] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const field = useRef<HTMLInputElement>(null);
  const state = useResource('hidden zone', (signal) =>
    reply(api.GET('/v1/hidden-pin', { signal })),
  );
  const isFirst = state.data?.configured === false;
  const until = state.data?.locked_until ?? undefined;
  useEffect(() => {
    field.current?.focus();
    if (typed?.isEntered()) field.current?.form?.requestSubmit();
  }, []);
  useEffect(() => {
    if (!isEarly || !state.data) return;
    setEarly(false);
    // A first PIN is set only after the dialog has said so.
    if (!isFirst) void open();
  }, [isEarly, state.data]);
  const open = async () => {
    if (isBusy || until !== undefined) return;
    if (!state.data) {
      if (state.error !== undefined) state.reload();
      return setEarly(true);
    }
    setBusy(true);
    try {
      const body = { pin };
      const { token, expires_in: seconds } = await reply(
        isFirst
          ? api.POST('/v1/hidden-pin', { body })
          : api.POST('/v1/hidden-pin/unlock', { body }),
      );
      openZoneWith(token, seconds);
      if (!isStaying) void removeLeftChats();
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
      setPin('');
      state.reload();
      field.current?.focus();
    }
  };
  const title = isStaying ? hidden.stayTitle : isFirst ? hidden.setTitle : hidden.openTitle;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void open()}
      foot={
        <>
          <span class="end" />
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button class="button strong" disabled={isBusy || until !== undefined}>
            {isStaying ? hidden.stay : isFirst ? hidden.setAndOpen : hidden.open}
          </button>
        </>
      }
    >
      <p>{isFirst ? hidden.setWhy : hidden.openWhy}</p>
      <div class="pinline">
        <div class="field">
          <label for="pin">{hidden.pin}</label>
          <input
            ref={field}
            class="pin-input"
            id="pin"
            {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
            autocomplete="off"
            required
            minLength={4}
            maxLength={12}
            value={pin}
            aria-invalid={failure !== undefined}
            aria-describedby="pin-failure"
            onInput={(event) => setPin(event.currentTarget.value)}
          />
        </div>
        <button
          type="button"
          class="tool"
          aria-label={hidden.showPin}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name="eye" />
        </button>
      </div>
      <PinFailure
        id="pin-failure"
        failure={failure ?? state.error}
        until={until}
        onEnd={state.reload}
      />
      <ul>
        <li>
          <Icon name="clock" />
          <span>{hidden.closes}</span>
        </li>
        <li>
          <Icon name="history" />
          <span>{hidden.leavesNothing}</span>
        </li>
      </ul>
    </Dialog>
  );
}
