import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/operators.ts';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Health } from '../settings/health.tsx';
import { Drills } from './drills.tsx';
import { Queues } from './queues.tsx';
import { BackupPart, Storage, Versions } from './state-parts.tsx';

/** The state of the service, for its operator. It shows nothing of what owners have stored. */
export default function OperatorsScreen() {
  const { operators, shell } = t();
  const { data, error, isLoading, reload } = useResource('operator state', (signal) =>
    reply(api.GET('/v1/operator/state', { signal })),
  );
  const isForbidden = error instanceof ApiError && error.code === 'forbidden';
  return (
    <Screen
      title={operators.title}
      end={
        !isForbidden && (
          <button type="button" class="button" disabled={isLoading} onClick={reload}>
            {operators.reload}
          </button>
        )
      }
    >
      <div class="scroll" tabIndex={0} role="region" aria-label={operators.facts}>
        <div class="settings">
          {isForbidden && (
            <Empty title={operators.forbidden}>
              <p class="soft">{operators.forbiddenHint}</p>
            </Empty>
          )}
          {error !== undefined && !isForbidden && <Failed error={error} retry={reload} />}
          {!data && isLoading && <Working>{shell.loading}</Working>}
          {data && (
            <>
              <Versions state={data} />
              <Storage state={data} />
              <Queues queues={data.queues} />
              <BackupPart backup={data.backup} />
              <Drills drills={data.drills} />
              <Health />
            </>
          )}
        </div>
      </div>
    </Screen>
  );
}
