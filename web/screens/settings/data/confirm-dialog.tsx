import { t } from '../../../i18n/language.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Refused, useAttempt } from '../attempt.tsx';

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** The verb and its object, on the button. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks before something that can not be undone, and shows why it was refused. */
export function ConfirmDialog({ title, text, action, run, onDone, onClose }: ConfirmProps) {
  const attempt = useAttempt();
  const submit = async () => {
    if (!(await attempt.run(run))) return;
    onClose();
    onDone?.();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={attempt.isBusy}>
            {action}
          </button>
        </>
      }
    >
      <p>{text}</p>
      <Refused error={attempt.error} />
    </Dialog>
  );
}
