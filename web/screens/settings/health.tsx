import { readHealth } from '../../data/health.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { connectionText } from '../../ui/reason-words.ts';
import { Setting } from './setting.tsx';

/** Whether everything that the service depends on works, tried just now. */
export function Health() {
  const text = settingsText();
  const { data, error, isLoading, reload } = useResource('health', readHealth);
  const isWell = data?.status === 'ok' || data?.checks.every(({ status }) => status !== 'failed');
  return (
    <Setting title={text.health} hint={text.healthHint}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {isLoading && <Working>{t().shell.loading}</Working>}
      {data && (
        <>
          <div class={`result${isWell ? '' : ' bad'}`} role="status">
            <Icon name={isWell ? 'check' : 'alert'} />
            <p>{isWell ? text.healthy : text.unhealthy}</p>
            <button type="button" class="button" onClick={reload}>
              {t().shell.tryAgain}
            </button>
          </div>
          <dl class="entries">
            {data.checks.map(({ name, status, error_code: code, error_fact: fact }) => (
              <div key={name}>
                <dt class="grow">
                  <b>{nameOf(name)}</b>{' '}
                  {code && <span class="soft">{connectionText(code, fact)}</span>}
                </dt>
                <dd class={status === 'failed' ? 'bad-count' : ''}>{text.states[status]}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Setting>
  );
}

const nameOf = (check: string): string =>
  new Map(Object.entries(settingsText().checks)).get(check) ?? check;
