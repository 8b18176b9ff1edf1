import { ApiError } from '../../../api/errors.ts';
import { t } from '../../../i18n/connections.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useAttempt } from '../attempt.tsx';
import { forget, startMigration, type Kind } from './connection.ts';
import { Problem } from './refusals.tsx';

export interface ForgetDialogProps {
  readonly kind: Kind;
  readonly files: number;
  readonly onClose: () => void;
}

/** Asks before settings and key are erased. A bucket that has files is emptied first. */
export function ForgetDialog({ kind, files, onClose }: ForgetDialogProps) {
  const { connections: text, shell } = t();
  const attempt = useAttempt();
  const isRefused = attempt.error instanceof ApiError && attempt.error.code === 'in_use';
  const isInUse = files > 0 || isRefused;
  const submit = async () => {
    const isDone = await attempt.run(() => (isInUse ? startMigration('back') : forget(kind)));
    if (!isDone) return;
    if (!isInUse) toast(text.forgotten[kind]);
    onClose();
  };
  return (
    <Dialog
      title={text.forgetTitle[kind]}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button
            type="submit"
            class={`button ${isInUse ? 'strong' : 'danger'}`}
            disabled={attempt.isBusy}
          >
            {isInUse ? text.moveAllBack : text.forget[kind]}
          </button>
        </>
      }
    >
      <p>{isInUse ? text.inUse(files) : text.forgetHint[kind]}</p>
      {!isRefused && <Problem error={attempt.error} />}
    </Dialog>
  );
}
