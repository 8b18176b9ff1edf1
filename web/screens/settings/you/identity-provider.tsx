import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { formatDay } from '../../../i18n/format.ts';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';

/** The account of an identity provider (OpenID Connect), where the installation has one. */
export function IdentityProvider() {
  const { data } = useResource('ways to sign in', (signal) =>
    reply(api.GET('/v1/sign-in', { signal })),
  );
  const name = data?.methods.oidc?.name;
  return name === undefined ? null : <Provider name={name} />;
}

function Provider({ name }: { name: string }) {
  const text = settingsText();
  const attempt = useAttempt();
  const [isUnlinking, setUnlinking] = useState(false);
  const { data, error, reload } = useResource(
    'identity provider',
    (signal) => reply(api.GET('/v1/me/oidc', { signal })),
    ['access'],
  );
  // The provider sends the browser back to the app.
  const link = () =>
    attempt.run(async () => location.assign((await reply(api.POST('/v1/me/oidc'))).url));
  const linked = data?.linked;
  return (
    <Setting title={text.provider(name)} hint={text.providerHint}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {data && (
        <p>
          {linked
            ? text.providerLinked(linked.issuer, formatDay(linked.linked_at))
            : text.providerNotLinked}
        </p>
      )}
      <Refused error={attempt.error} codes={{ oidc_unavailable: text.providerUnavailable }} />
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={attempt.isBusy || !data}
          onClick={() => void link()}
        >
          {linked ? text.relinkProvider : text.linkProvider}
        </button>
        {linked && (
          <button type="button" class="button plain danger" onClick={() => setUnlinking(true)}>
            {text.unlinkProvider}
          </button>
        )}
      </div>
      {isUnlinking && <Unlink onDone={reload} onClose={() => setUnlinking(false)} />}
    </Setting>
  );
}

function Unlink({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const text = settingsText();
  const attempt = useAttempt();
  const unlink = async () => {
    if (!(await attempt.run(() => reply(api.DELETE('/v1/me/oidc'))))) return;
    onClose();
    onDone();
    toast(text.unlinked);
  };
  return (
    <Dialog
      title={text.unlinkTitle}
      onClose={onClose}
      onSubmit={() => void unlink()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={attempt.isBusy}>
            {text.unlinkProvider}
          </button>
        </>
      }
    >
      <p>{text.unlinkHint}</p>
      <Refused error={attempt.error} />
    </Dialog>
  );
}
