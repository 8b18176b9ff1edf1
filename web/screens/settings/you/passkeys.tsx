import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { useResource } from '../../../data/resource.ts';
import { formatDay } from '../../../i18n/format.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { Failed } from '../../../ui/notice.tsx';
import { addPasskey, canUsePasskeys } from '../../sign-in/passkey.ts';
import { Refused, useAttempt, type Attempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { NameForm } from './name-form.tsx';
import { useId } from '../../../ui/use-id.ts';

type Passkey = components['schemas']['Passkey'];

/** Passkeys of the account: add, rename, remove. */
export function Passkeys() {
  const text = settingsText();
  const id = useId();
  const attempt = useAttempt();
  const [name, setName] = useState('');
  const { data, error, reload } = useResource(
    'passkeys',
    (signal) => reply(api.GET('/v1/me/passkeys', { signal })),
    ['access'],
  );
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await attempt.run(() => addPasskey(name))) {
      setName('');
      reload();
    }
  };
  return (
    <Setting title={text.passkeys} hint={text.passkeysHint}>
      <Refused error={attempt.error} />
      {error !== undefined && <Failed error={error} retry={reload} />}
      {data?.items.length === 0 && <p class="soft">{text.noPasskeys}</p>}
      <ul class="entries">
        {data?.items.map((each) => (
          <Entry key={each.id} passkey={each} attempt={attempt} reload={reload} />
        ))}
      </ul>
      {canUsePasskeys() && (
        <form class="inline-form" onSubmit={(event) => void add(event)}>
          <div class="field grow">
            <label for={id}>{text.passkeyName}</label>
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
          <button type="submit" class="button" disabled={attempt.isBusy}>
            {text.addPasskey}
          </button>
        </form>
      )}
    </Setting>
  );
}

interface EntryProps {
  readonly passkey: Passkey;
  readonly attempt: Attempt;
  readonly reload: () => void;
}

function Entry({ passkey, attempt, reload }: EntryProps) {
  const text = settingsText();
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, last_used_at: at, is_backed_up: isBackedUp } = passkey;
  const params = { path: { passkey_id: id } };
  const path = '/v1/me/passkeys/{passkey_id}';
  const rename = async (body: { name: string }) => {
    if (await attempt.run(() => reply(api.PATCH(path, { params, body })))) {
      setRenaming(false);
      reload();
    }
  };
  const remove = async () => {
    if (await attempt.run(() => reply(api.DELETE(path, { params })))) reload();
  };
  const used = at === null ? text.neverUsed : text.lastUsed(formatDay(at));
  if (isRenaming)
    return (
      <li>
        <NameForm
          name={name}
          isBusy={attempt.isBusy}
          onSave={(changed) => void rename({ name: changed })}
          onCancel={() => setRenaming(false)}
        />
      </li>
    );
  return (
    <li>
      <p class="grow">
        <b>
          <bdi>{name}</bdi>
        </b>
        <br />
        <span class="soft">
          {used}
          {isBackedUp && ` · ${text.backedUp}`}
        </span>
      </p>
      <button
        type="button"
        class="button"
        aria-label={`${text.rename}: ${name}`}
        onClick={() => setRenaming(true)}
      >
        {text.rename}
      </button>
      <button
        type="button"
        class="button plain danger"
        aria-label={`${text.remove}: ${name}`}
        disabled={attempt.isBusy}
        onClick={() => void remove()}
      >
        {text.remove}
      </button>
    </li>
  );
}
