import { PortFailure } from '../../../ports/failures.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import { ModelFailure, type ModelEndpoint } from '../../../ports/language-model.ts';
import type { OutboundRules } from '../connector.ts';
import { statusOf } from '../status.ts';
import { failureOf, refusedWith, tooSlow } from './failures.ts';
import { modelsUrl } from './question.ts';

/**
 * Whether the operator's model can be reached, without a prompt: requests the list of models. Any response counts as
 * success, except a rejected key or a server error, since not every service lists its models.
 */
export const modelProbe = (
  endpoint: ModelEndpoint | null,
  rules: OutboundRules,
  timeMs: number,
): HealthProbe => ({
  name: 'llm',
  check: async () => {
    if (!endpoint) return { status: 'off', detail: 'Not connected.' };
    try {
      const { baseUrl, key } = endpoint;
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const status = await statusOf(modelsUrl(baseUrl), headers, rules, timeMs, tooSlow);
      if (status >= 500 || status === 401 || status === 403) throw refusedWith(status);
      return { status: 'ok', detail: 'It answers.' };
    } catch (error) {
      const failure = failureOf(error);
      throw failure instanceof ModelFailure ? new PortFailure('llm', failure.message) : failure;
    }
  },
});
