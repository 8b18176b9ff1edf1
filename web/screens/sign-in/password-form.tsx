import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { t } from '../../i18n/language.ts';

export interface PasswordFormProps {
  readonly isBusy: boolean;
  readonly attempt: (signIn: () => Promise<unknown>) => Promise<void>;
}

/** Name and password, as password managers expect them. */
export function PasswordForm({ isBusy, attempt }: PasswordFormProps) {
  const text = t().signIn;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const body = { name: field('name'), password: field('password') };
    void attempt(() => reply(api.POST('/v1/sign-in/password', { body })));
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="field">
        <label for="name">{text.name}</label>
        <input
          id="name"
          name="name"
          class="input"
          autocomplete="username"
          required
          maxLength={100}
        />
      </div>
      <div class="field">
        <label for="password">{text.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          class="input"
          autocomplete="current-password"
          required
          maxLength={512}
        />
      </div>
      <button type="submit" class="button" disabled={isBusy}>
        {text.withPassword}
      </button>
    </form>
  );
}
