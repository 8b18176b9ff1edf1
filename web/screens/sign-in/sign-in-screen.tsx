import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ROOT, SERVICE, to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/language.ts';
import { loadSession } from '../../state/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Working } from '../../ui/notice.tsx';
import { landingPath } from './landing.ts';
import { canUsePasskeys, PasskeyCancelled, signInWithPasskey } from './passkey.ts';
import { PasswordForm } from './password-form.tsx';

const CODE = /^[\w-]{20,100}$/;

/** The code of a one-time link, from the link itself or from the code alone. */
export const codeOf = (text: string): string | undefined => {
  const code = text.trim().split('#').at(-1) ?? '';
  return CODE.test(code) ? code : undefined;
};

/** The ways to sign in that the installation offers. A link that was opened signs in at once. */
export default function SignInScreen() {
  const { path, route } = useLocation();
  const error = useSignal(errorOfProvider());
  const isBusy = useSignal(false);
  const isOpening = useSignal(path === `${ROOT}/sign-in` && codeOf(location.hash) !== undefined);
  const ways = useResource('sign-in', () => reply(api.GET('/v1/sign-in')));
  const text = t().signIn;
  useEffect(() => {
    document.title = `${text.title} · ${t().shell.product}`;
  }, [text]);

  const attempt = async (signIn: () => Promise<unknown>): Promise<void> => {
    isBusy.value = true;
    error.value = '';
    try {
      await signIn();
      await loadSession();
      if (path === `${ROOT}/sign-in`) route(to(await landingPath()), true);
    } catch (failure) {
      isOpening.value = false;
      error.value =
        failure instanceof PasskeyCancelled ? text.passkeyCancelled : messageOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  const signInByLink = (code: string) =>
    attempt(() => reply(api.POST('/v1/sign-in/link', { body: { code } })));

  useEffect(() => {
    const code = codeOf(location.hash);
    if (path !== `${ROOT}/sign-in` || code === undefined) return;
    // The code must stay neither in the address nor in the history.
    history.replaceState(null, '', location.pathname);
    void signInByLink(code);
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement).get('code');
    const code = codeOf(typeof typed === 'string' ? typed : '');
    if (code === undefined) error.value = text.notACode;
    else void signInByLink(code);
  };
  const { data } = ways;
  // The forms are not shown for the moment in which a link is used.
  if (isOpening.value)
    return (
      <Gate>
        <Working>{t().shell.loading}</Working>
      </Gate>
    );
  return (
    <Gate>
      <div role="alert">
        {(error.value !== '' || ways.error !== undefined) && (
          <p class="note bad">
            <Icon name="alert" />
            {error.value || messageOf(ways.error)}
          </p>
        )}
      </div>
      {data?.methods.passkey && canUsePasskeys() && (
        <button
          type="button"
          class="button strong"
          disabled={isBusy.value}
          onClick={() => void attempt(signInWithPasskey)}
        >
          <Icon name="key" />
          {text.withPasskey}
        </button>
      )}
      {data?.methods.oidc && (
        <a class="button" href={`${SERVICE}/v1/sign-in/oidc`} target="_top">
          {text.withProvider(data.methods.oidc.name)}
        </a>
      )}
      {data?.methods.password && <PasswordForm isBusy={isBusy.value} attempt={attempt} />}
      <form class="form" onSubmit={submit}>
        <div class="field">
          <label for="code">{text.link}</label>
          <input
            id="code"
            name="code"
            class="input"
            autocomplete="one-time-code"
            spellcheck={false}
            required
            aria-describedby="code-hint"
          />
          <span id="code-hint" class="hint">
            {text.linkHint}
          </span>
        </div>
        <button type="submit" class="button" disabled={isBusy.value}>
          {text.withLink}
        </button>
      </form>
    </Gate>
  );
}

const Gate = ({ children }: { children: ComponentChildren }) => (
  <main id="main" class="gate">
    <div class="gate-in card">
      <p class="brand">
        <Icon name="logo" />
        <span>{t().shell.product}</span>
      </p>
      <h1 class="title">{t().signIn.title}</h1>
      {children}
    </div>
  </main>
);

/** The identity provider's refusal, which comes back in the address. */
function errorOfProvider(): string {
  const code = new URLSearchParams(location.search).get('error');
  if (code === null) return '';
  const { providerUnavailable, providerRefused } = t().signIn;
  return code === 'oidc_unavailable' ? providerUnavailable : providerRefused;
}
