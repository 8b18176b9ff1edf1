import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { Failed, Working } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useId } from '../../ui/use-id.ts';
import { Refused, useAttempt } from './attempt.tsx';
import { Setting } from './setting.tsx';

/** The owner's invitation code, and using that of another owner, once. */
export function Referral() {
  const text = settingsText();
  const { data, error, isLoading, reload } = useResource(
    'referral',
    (signal) => reply(api.GET('/v1/referral', { signal })),
    ['notifications'],
  );
  const copy = async () => {
    await navigator.clipboard.writeText(data?.code ?? '');
    toast(text.copied);
  };
  return (
    <Setting title={text.invitation} hint={text.invitationHint}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && isLoading && <Working>{t().shell.loading}</Working>}
      {data && (
        <>
          <p class="code-line">
            <span class="grow">
              {text.yourCode}: <b class="mono">{data.code}</b>
              <br />
              <span class="soft">{text.invited(data.invited)}</span>
            </span>
            <button type="button" class="button" onClick={() => void copy()}>
              {text.copy}
            </button>
          </p>
          {data.applied ? <p class="soft">{text.codeWasUsed}</p> : <ApplyCode reload={reload} />}
        </>
      )}
    </Setting>
  );
}

function ApplyCode({ reload }: { reload: () => void }) {
  const text = settingsText();
  const id = useId();
  const attempt = useAttempt();
  const [code, setCode] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setWrong(false);
    await attempt.run(async () => {
      const { applied } = await reply(api.POST('/v1/referral/apply', { body: { code } }));
      setWrong(!applied);
      if (!applied) return;
      toast(text.codeUsed);
      reload();
    });
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <div class="inline-form">
        <div class="field grow">
          <label for={id}>{text.givenCode}</label>
          <input
            id={id}
            class="input"
            required
            pattern=".*\S.*"
            maxLength={100}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? `${id}-error` : undefined}
            value={code}
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
          />
        </div>
        <button type="submit" class="button" disabled={attempt.isBusy}>
          {text.useCode}
        </button>
      </div>
      {isWrong && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {text.codeNotUsed}
        </p>
      )}
      <Refused error={attempt.error} />
    </form>
  );
}
