import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/connections.ts';
import { asChange, recordChange } from '../../../state/undo.ts';
import { useAttempt } from '../attempt.tsx';
import { toggle, type Card, type Kind } from './connection.ts';
import { ForgetDialog } from './forget-dialog.tsx';
import { Problem } from './refusals.tsx';

/** Switches a connection on or off. Its settings stay, so that it can be undone. */
export const switchTo = (kind: Kind, enabled: boolean): Promise<void> =>
  asChange(makeSwitch(kind, enabled));

async function makeSwitch(kind: Kind, enabled: boolean): Promise<void> {
  await toggle(kind, enabled);
  const { connections: text } = t();
  recordChange({
    label: enabled ? text.switchedOn[kind] : text.switchedOff[kind],
    undo: async () => void (await toggle(kind, !enabled)),
    redo: async () => void (await toggle(kind, enabled)),
  });
}

export interface ConnectionButtonsProps {
  readonly card: Card;
  /** Whether it is being saved or tried. */
  readonly isBusy: boolean;
  readonly onSwitchOn: () => void;
  /** How many files are in the bucket: they keep it from being forgotten. */
  readonly files?: number;
}

/** The end of the form of a connection: save and try, switch off and on, forget. */
export function ConnectionButtons(props: ConnectionButtonsProps) {
  const { card, isBusy, onSwitchOn, files = 0 } = props;
  const { connections: text } = t();
  const attempt = useAttempt();
  const [isForgetting, setForgetting] = useState(false);
  const submit = useFocusWhenForgotten(card.configured);
  const name = text.kinds[card.kind];
  const label = card.enabled ? text.switchOff : text.switchOn;
  const switchOver = () => {
    if (isBusy || attempt.isBusy) return;
    if (card.enabled) void attempt.run(() => switchTo(card.kind, false));
    else onSwitchOn();
  };
  return (
    <>
      <Problem error={attempt.error} />
      <div class="buttons">
        <button
          ref={submit}
          type="submit"
          class="button strong"
          aria-label={`${text.saveAndTry}: ${name}`}
          aria-disabled={isBusy}
        >
          {text.saveAndTry}
        </button>
        {card.configured && (
          <>
            <button
              type="button"
              class="button"
              aria-label={`${label}: ${name}`}
              aria-disabled={isBusy || attempt.isBusy}
              onClick={switchOver}
            >
              {label}
            </button>
            <button
              type="button"
              class="button plain danger"
              disabled={isBusy}
              onClick={() => setForgetting(true)}
            >
              {text.forget[card.kind]}
            </button>
          </>
        )}
      </div>
      {isForgetting && (
        <ForgetDialog kind={card.kind} files={files} onClose={() => setForgetting(false)} />
      )}
    </>
  );
}

/** The button that had the focus is gone with the connection. */
function useFocusWhenForgotten(isConfigured: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasConfigured = useRef(isConfigured);
  useEffect(() => {
    const isForgotten = wasConfigured.current && !isConfigured;
    if (isForgotten && document.activeElement === document.body) button.current?.focus();
    wasConfigured.current = isConfigured;
  }, [isConfigured]);
  return button;
}
