import { useSignal } from '@preact/signals';
import { t } from '../../../i18n/viewer.ts';
import { leaveUnsaved, saveAndLeave, stay, type Leaving } from '../../../state/unsaved.ts';
import { Dialog } from '../../../ui/dialog.tsx';

/** Asks what becomes of something unsaved before its screen is left. */
export default function LeaveDialog({ leaving }: { leaving: Leaving }) {
  const { viewer, shell } = t();
  const isSaving = useSignal(false);
  const canSave = leaving.unsaved.every(({ save }) => save !== undefined);
  const submit = (): void => {
    if (isSaving.value) return;
    isSaving.value = true;
    if (canSave) void saveAndLeave(leaving);
    else leaveUnsaved(leaving);
  };
  return (
    <Dialog
      title={viewer.leaveTitle}
      onClose={stay}
      onSubmit={submit}
      foot={
        <>
          <button type="button" class="button" onClick={stay}>
            {shell.cancel}
          </button>
          {canSave && (
            <button type="button" class="button danger" onClick={() => leaveUnsaved(leaving)}>
              {viewer.leaveUnsaved}
            </button>
          )}
          <button
            type="submit"
            class={canSave ? 'button strong' : 'button danger'}
            disabled={isSaving.value}
          >
            {canSave ? viewer.saveAndLeave : viewer.leaveUnsaved}
          </button>
        </>
      }
    >
      <p>{viewer.leaveText}</p>
    </Dialog>
  );
}
