import { t } from '../i18n/language.ts';
import { Dialog } from '../ui/dialog.tsx';

export interface SignOutDialogProps {
  /** Files that wait in this browser. */
  readonly unsent: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a sign-out deletes files that were not sent yet. */
export default function SignOutDialog({ unsent, onConfirm, onClose }: SignOutDialogProps) {
  const { shell } = t();
  return (
    <Dialog
      title={shell.signOutTitle}
      onClose={onClose}
      onSubmit={onConfirm}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger">
            {shell.signOut}
          </button>
        </>
      }
    >
      <p>{shell.unsentFiles(unsent)}</p>
    </Dialog>
  );
}
