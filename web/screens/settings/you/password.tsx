import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { me } from '../../../state/session.ts';
import { toast } from '../../../ui/toasts.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { useId } from '../../../ui/use-id.ts';

const MIN_LENGTH = 15;

/** Sets, changes and removes the password. The service does not say whether there is one. */
export function Password() {
  const text = settingsText();
  const id = useId();
  const attempt = useAttempt();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const field = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const current = field('current');
    const body = { password: field('password'), ...(current && { current }) };
    if (await attempt.run(() => reply(api.PUT('/v1/me/password', { body })))) {
      form.reset();
      toast(text.passwordSet);
    }
  };
  const remove = async () => {
    if (await attempt.run(() => reply(api.DELETE('/v1/me/password')))) toast(text.passwordRemoved);
  };
  return (
    <Setting title={text.password} hint={text.passwordHint}>
      <Refused error={attempt.error} />
      <form class="form" onSubmit={(event) => void submit(event)}>
        <input
          hidden
          name="username"
          autocomplete="username"
          value={me.value?.owner.name}
          readOnly
        />
        <div class="pairs">
          <div class="field">
            <label for={`${id}-current`}>{text.currentPassword}</label>
            <input
              id={`${id}-current`}
              name="current"
              type="password"
              class="input"
              autocomplete="current-password"
              maxLength={512}
            />
          </div>
          <div class="field">
            <label for={`${id}-new`}>{text.newPassword}</label>
            <input
              id={`${id}-new`}
              name="password"
              type="password"
              class="input"
              autocomplete="new-password"
              required
              minLength={MIN_LENGTH}
              maxLength={512}
            />
          </div>
        </div>
        <div class="buttons">
          <button type="submit" class="button" disabled={attempt.isBusy}>
            {attempt.isBusy ? text.saving : text.setPassword}
          </button>
          <button
            type="button"
            class="button plain danger"
            disabled={attempt.isBusy}
            onClick={() => void remove()}
          >
            {text.removePassword}
          </button>
        </div>
      </form>
    </Setting>
  );
}
