import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { ApiError, reply } from '../../../api/errors.ts';
import { t } from '../../../i18n/bots.ts';
import { toast } from '../../../ui/toasts.tsx';
import { useId } from '../../../ui/use-id.ts';
import { Refused, useAttempt } from '../attempt.tsx';

/** Connects a bot by its token. A bot that is known gets its new token and remembers the rest. */
export function ConnectBot({ reload }: { reload: () => void }) {
  const { bots } = t();
  const id = useId();
  const attempt = useAttempt();
  const [token, setToken] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const isDone = await attempt.run(async () => {
      const body = { platform: 'telegram', token: token.trim() } as const;
      const { name } = await reply(api.POST('/v1/bots', { body }));
      toast(bots.connected(name));
    });
    if (!isDone) return;
    setToken('');
    reload();
  };
  const { error } = attempt;
  const isBad = error instanceof ApiError && error.status === 422;
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for={id}>{bots.token}</label>
        <input
          id={id}
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          maxLength={200}
          aria-invalid={isBad}
          aria-describedby={isBad ? `${id}-error` : undefined}
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        {isBad && (
          <p id={`${id}-error`} class="field-error" role="alert">
            {bots.badToken}
          </p>
        )}
      </div>
      {!isBad && <Refused error={error} codes={bots.codes} />}
      <div class="buttons">
        <button type="submit" class="button" disabled={attempt.isBusy}>
          {attempt.isBusy ? bots.connecting : bots.connect}
        </button>
      </div>
    </form>
  );
}
