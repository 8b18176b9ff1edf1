import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { noteChange } from '../../../data/live.ts';
import type { Role } from '../../../data/roles.ts';
import { t } from '../../../i18n/roles.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useAttempt } from '../attempt.tsx';

/** It can not be undone, so it asks first. */
export function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const { roles: text, shell } = t();
  const attempt = useAttempt();
  const submit = async () => {
    const params = { path: { slug: role.slug } };
    const isDone = await attempt.run(() =>
      reply(api.DELETE('/v1/agents/custom/{slug}', { params })),
    );
    if (!isDone) return;
    noteChange('agents');
    onClose();
    toast(text.deleted);
  };
  return (
    <Dialog
      title={text.deleteTitle(role.name)}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={attempt.isBusy}>
            {text.deleteDo}
          </button>
        </>
      }
    >
      <p>{text.deleteHint}</p>
      {attempt.error !== undefined && <Failed error={attempt.error} />}
    </Dialog>
  );
}
