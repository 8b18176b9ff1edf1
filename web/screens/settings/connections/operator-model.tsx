import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { readHealth } from '../../../data/health.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/connections.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Icon } from '../../../ui/icon.tsx';

/** The model of the operator, which answers owners without one. Its use counts towards the plan. */
export function OperatorModel() {
  const { connections: text } = t();
  // A failure is no news here: the hint is left out.
  const { data } = useResource('operator', async (signal) => {
    const { checks } = await readHealth(signal);
    const found = checks.find(({ name }) => name === 'llm');
    if (!found || found.status === 'off') return undefined;
    const { items } = await reply(api.GET('/v1/usage', { signal }));
    return items.find(({ metric }) => metric === 'questions');
  });
  if (!data) return null;
  const { used, limit } = data;
  return (
    <div class="note calm">
      <Icon name="info" />
      <p>
        {text.operatorAnswers}{' '}
        {limit === null
          ? text.questionsUsed(formatNumber(used))
          : text.questionsOf(formatNumber(used), formatNumber(limit))}
      </p>
    </div>
  );
}
