import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { noteChange } from '../../../data/live.ts';
import { t } from '../../../i18n/data.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { toast } from '../../../ui/toasts.tsx';
import { RemovePin } from '../hidden/remove-pin.tsx';
import { Setting } from '../setting.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { revokeAllTokens } from './revoke-all-tokens.ts';

type Danger = 'trash' | 'sessions' | 'tokens' | 'pin';

/** What can not be undone. Each asks first. */
export function DangerZone() {
  const { dataText: text } = t();
  const [open, setOpen] = useState<Danger>();
  const [unsent, setUnsent] = useState(0);
  const close = () => setOpen(undefined);
  const choose = async (danger: Danger) => {
    if (danger === 'sessions') {
      const { countUnsent } = await import('../../../uploads/sign-out.ts');
      setUnsent(await countUnsent());
    }
    setOpen(danger);
  };
  const { data: pin, reload } = useResource('pin', (signal) =>
    reply(api.GET('/v1/hidden-pin', { signal })),
  );
  const entry = (danger: Danger, label: string, hint: string) => (
    <li>
      <p class="grow">{hint}</p>
      <button type="button" class="button danger" onClick={() => void choose(danger)}>
        {label}
      </button>
    </li>
  );
  return (
    <Setting title={text.danger} hint={text.dangerHint}>
      <ul class="entries danger-list">
        {entry('trash', text.emptyTrash, text.emptyTrashWhat)}
        {entry('sessions', text.signOutAll, text.signOutAllWhat)}
        {entry('tokens', text.revokeAll, text.revokeAllWhat)}
        {pin?.configured && entry('pin', settingsText().removePin, text.removePinWhat)}
      </ul>
      {open === 'trash' && (
        <ConfirmDialog
          title={text.emptyTrashTitle}
          text={text.emptyTrashHint}
          action={text.emptyTrash}
          run={emptyTrash}
          onDone={() => toast(text.trashEmptied)}
          onClose={close}
        />
      )}
      {open === 'sessions' && (
        <ConfirmDialog
          title={text.signOutAllTitle}
          text={
            unsent > 0
              ? `${text.signOutAllHint} ${t().shell.unsentFiles(unsent)}`
              : text.signOutAllHint
          }
          action={text.signOutAll}
          run={signOutEverywhere}
          onClose={close}
        />
      )}
      {open === 'tokens' && (
        <ConfirmDialog
          title={text.revokeAllTitle}
          text={settingsText().revokeHint}
          action={text.revokeAll}
          run={async () => toast(text.revoked(await revokeAllTokens()))}
          onClose={close}
        />
      )}
      {open === 'pin' && (
        <RemovePin until={pin?.locked_until ?? undefined} reload={reload} onClose={close} />
      )}
    </Setting>
  );
}

async function emptyTrash(): Promise<void> {
  await reply(api.DELETE('/v1/objects/trash'));
  noteChange('objects', 'folders');
}

async function signOutEverywhere(): Promise<void> {
  const { signOut } = await import('../../../uploads/sign-out.ts');
  await signOut(async () => {
    // The others first: without them this browser would have lost its right to end them.
    await reply(api.DELETE('/v1/sessions'));
    await reply(api.POST('/v1/sign-out'));
  });
}
