import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { formatMoment } from '../../../i18n/format.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { Failed } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';

const LIMIT = 100;

/** Browsers in which the owner is signed in, each of which can be ended. */
export function Sessions() {
  const text = settingsText();
  const attempt = useAttempt();
  const { data, error, reload } = useResource(
    'sessions',
    (signal) => reply(api.GET('/v1/sessions', { params: { query: { limit: LIMIT } }, signal })),
    ['access'],
  );
  const end = (id: string) =>
    attempt.run(async () => {
      const params = { path: { session_id: id } };
      await reply(api.DELETE('/v1/sessions/{session_id}', { params }));
      reload();
    });
  const endOthers = () =>
    attempt.run(async () => {
      const { ended } = await reply(api.DELETE('/v1/sessions'));
      toast(text.ended(ended));
      reload();
    });
  return (
    <Setting title={text.sessions} hint={text.sessionsHint}>
      <Refused error={attempt.error} />
      {error !== undefined && <Failed error={error} retry={reload} />}
      <ul class="entries">
        {data?.items.map(({ id, client, network, last_used_at: at, current }) => (
          <li key={id}>
            <p class="grow">
              <b>{client}</b>
              <br />
              <span class="soft">
                {current ? text.thisBrowser : text.lastUsed(formatMoment(at))} · {network}
              </span>
            </p>
            {!current && (
              <button
                type="button"
                class="button"
                aria-label={`${text.end}: ${client}`}
                disabled={attempt.isBusy}
                onClick={() => void end(id)}
              >
                {text.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {(data?.total ?? 0) > 1 && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            disabled={attempt.isBusy}
            onClick={() => void endOthers()}
          >
            {text.endOthers}
          </button>
        </div>
      )}
    </Setting>
  );
}
