import { formatDay } from '../../../i18n/format.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { me } from '../../../state/session.ts';
import { Setting } from '../setting.tsx';
import { IdentityProvider } from './identity-provider.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

/** The owner and every way into the account. */
export default function YouSection() {
  const text = settingsText();
  const { value } = me;
  return (
    <>
      {value && (
        <Setting title={text.you}>
          <p>
            <b>
              <bdi>{value.owner.name}</bdi>
            </b>
            <br />
            <span class="soft">
              {text.workspaceOf(value.tenant.name)} ·{' '}
              {text.since(formatDay(value.owner.created_at))}
            </span>
          </p>
        </Setting>
      )}
      <Sessions />
      <Passkeys />
      <Password />
      <IdentityProvider />
      <Tokens />
    </>
  );
}
