import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { folderOf } from '../../../data/folders.ts';
import { useResource } from '../../../data/resource.ts';
import { formatDay, formatList, formatMoment } from '../../../i18n/format.ts';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/notice.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { CreateToken } from './create-token.tsx';

type TokenCard = components['schemas']['TokenCard'];

const LIMIT = 100;

/** Tokens of programs: create, revoke. */
export function Tokens() {
  const text = settingsText();
  const [revoked, setRevoked] = useState<TokenCard>();
  const [isCreating, setCreating] = useState(false);
  const { data, error, reload } = useResource(
    'tokens',
    (signal) => reply(api.GET('/v1/tokens', { params: { query: { limit: LIMIT } }, signal })),
    ['access'],
  );
  return (
    <Setting title={text.tokens} hint={text.tokensHint}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {data?.items.length === 0 && <p class="soft">{text.noTokens}</p>}
      <ul class="entries">
        {data?.items.map((each) => (
          <li key={each.id}>
            <p class="grow">
              <b>
                <bdi>{each.name}</bdi>
              </b>{' '}
              <span class="mono soft">{each.prefix}…</span>
              <br />
              <span class="soft">{factsOf(each)}</span>
            </p>
            <button
              type="button"
              class="button plain danger"
              aria-label={`${text.revoke}: ${each.name}`}
              onClick={() => setRevoked(each)}
            >
              {text.revoke}
            </button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" class="button" onClick={() => setCreating(true)}>
          {text.createToken}
        </button>
      </div>
      {isCreating && <CreateToken onCreated={reload} onClose={() => setCreating(false)} />}
      {revoked && (
        <RevokeDialog token={revoked} onRevoked={reload} onClose={() => setRevoked(undefined)} />
      )}
    </Setting>
  );
}

function factsOf(token: TokenCard): string {
  const text = settingsText();
  const { access, scopes, collection_ids: folders, expires_at: end, last_used_at: at } = token;
  const may =
    access === 'full' && scopes.length === Object.keys(text.scopes).length
      ? text.accessOf.full
      : formatList(scopes.map((scope) => text.scopes[scope]));
  const names = folders?.map((id) => folderOf(id)?.name ?? text.missingFolder);
  return [
    may,
    names && text.onlyIn(formatList(names)),
    end === null ? undefined : text.until(formatDay(end)),
    at === null ? text.neverUsed : text.lastUsed(formatMoment(at)),
    token.last_used_network ? text.networkOf(token.last_used_network) : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(' · ');
}

interface RevokeProps {
  readonly token: TokenCard;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ token, onRevoked, onClose }: RevokeProps) {
  const text = settingsText();
  const attempt = useAttempt();
  const revoke = async () => {
    const params = { path: { token_id: token.id } };
    if (await attempt.run(() => reply(api.DELETE('/v1/tokens/{token_id}', { params })))) {
      onRevoked();
      onClose();
    }
  };
  return (
    <Dialog
      title={text.revokeTitle(token.name)}
      onClose={onClose}
      onSubmit={() => void revoke()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={attempt.isBusy}>
            {text.revoke}
          </button>
        </>
      }
    >
      <p>{text.revokeHint}</p>
      <Refused error={attempt.error} />
    </Dialog>
  );
}
