import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Choice } from '../choice.tsx';
import { useId } from '../../../ui/use-id.ts';
import { Issued } from './issued-token.tsx';
import { TokenExpiry, type Days } from './token-expiry.tsx';
import { TokenFolders } from './token-folders.tsx';
import { TokenScopes, type Scope } from './token-scopes.tsx';

type Access = 'full' | 'read' | 'own';

export interface CreateTokenProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Creates a token and shows it once. It exists only in this dialog. */
export function CreateToken({ onCreated, onClose }: CreateTokenProps) {
  const text = settingsText();
  const id = useId();
  const attempt = useAttempt();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>('read');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  /** null: the whole workspace. */
  const [folders, setFolders] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<Days>('90');
  const [secret, setSecret] = useState<string>();
  const create = () =>
    attempt.run(async () => {
      const body = {
        name,
        ...(access === 'own' ? { scopes: [...scopes] } : { access }),
        ...(folders && { collection_ids: [...folders] }),
        expires_in_days: days === 'never' ? null : Number(days),
      };
      const { token } = await reply(api.POST('/v1/tokens', { body }));
      setSecret(token);
      onCreated();
    });
  if (secret !== undefined) return <Issued secret={secret} onClose={onClose} />;
  const isIncomplete = (access === 'own' && scopes.length === 0) || folders?.length === 0;
  return (
    <Dialog
      title={text.createToken}
      wide
      onClose={onClose}
      onSubmit={() => void create()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button type="submit" class="button strong" disabled={attempt.isBusy || isIncomplete}>
            {text.createToken}
          </button>
        </>
      }
    >
      <Refused error={attempt.error} />
      <div class="field">
        <label for={id}>{text.tokenName}</label>
        <input
          id={id}
          class="input"
          required
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      <Choice
        label={text.access}
        value={access}
        options={(['read', 'full', 'own'] as const).map((each) => [each, text.accessOf[each]])}
        onChoose={setAccess}
      />
      {access === 'own' && <TokenScopes scopes={scopes} onChange={setScopes} />}
      <TokenFolders folders={folders} onChange={setFolders} />
      <TokenExpiry days={days} onChange={setDays} />
    </Dialog>
  );
}
