import { SERVICE, to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { useResource } from '../../data/resource.ts';
import { formatDay, formatNumber, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { Failed, Working } from '../../ui/notice.tsx';
import { Health } from './health.tsx';
import { Referral } from './referral.tsx';
import { Setting } from './setting.tsx';

type Metric = components['schemas']['Usage']['items'][number];

/** What the plan allows and what of it is used, the invitation code, and whether everything works. */
export default function UsageSection() {
  return (
    <>
      <UsageOfMonth />
      <Referral />
      <References />
      <Health />
    </>
  );
}

function UsageOfMonth() {
  const text = settingsText();
  const { data, error, reload } = useResource('usage', (signal) =>
    reply(api.GET('/v1/usage', { signal })),
  );
  const hint = data && text.usageHint(data.role, formatDay(data.period_end));
  return (
    <Setting title={text.usage} hint={hint}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && error === undefined && <Working>{t().shell.loading}</Working>}
      {data?.items.map((each) => (
        <Meter key={each.metric} {...each} />
      ))}
      {data && <p class="soft">{text.perMinute(data.requests_per_minute)}</p>}
    </Setting>
  );
}

function Meter({ metric, used, limit }: Metric) {
  const text = settingsText();
  const format = metric === 'storage_bytes' ? formatSize : formatNumber;
  const name = text.metrics[metric];
  const words =
    limit === null ? text.unlimited(format(used)) : text.ofLimit(format(used), format(limit));
  return (
    <div>
      <div class="move-head">
        <b>{name}</b>
        <span class="soft num">{words}</span>
      </div>
      {limit !== null && (
        <progress
          class="wide-meter"
          max={Math.max(limit, 1)}
          value={Math.min(used, limit)}
          aria-label={name}
        />
      )}
    </div>
  );
}

/** The reference of the interface, and the state of the service for its operator. */
function References() {
  const text = settingsText();
  const { data } = useResource('operator', (signal) => reply(api.GET('/v1/operator', { signal })));
  return (
    <Setting title={text.reference} hint={text.referenceHint}>
      <p class="buttons">
        <a class="button" href={`${SERVICE}/docs`} target="_blank" rel="noopener">
          {text.openReference}
        </a>
        <a class="button" href={`${SERVICE}/v1/openapi.json`} target="_blank" rel="noopener">
          {text.openDocument}
        </a>
        {data?.is_operator && (
          <a class="button" href={to('/operators')}>
            {text.serviceState}
          </a>
        )}
      </p>
    </Setting>
  );
}
