import { UnavailableError } from '../../../ports/errors.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import { ModelError, type ModelEndpoint } from '../../../ports/language-model.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import { lazyFetchStatus } from '../lazy-http-status.ts';
import { failureOf, rejectedWith, tooSlow } from './failures.ts';
import { modelsUrl } from './completion-request.ts';

/**
 * Whether the operator's model can be reached, without a prompt: requests the list of models. Any response counts as
 * success, except a rejected key or a server error, since not every service lists its models.
 */
export const modelProbe = (
  endpoint: ModelEndpoint | null,
  rules: OutboundPolicy,
  timeMs: number,
): HealthProbe => ({
  name: 'llm',
  check: async () => {
    if (!endpoint) return { status: 'off', detail: 'Not connected.' };
    try {
      const { baseUrl, key } = endpoint;
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const status = await lazyFetchStatus(modelsUrl(baseUrl), headers, rules, timeMs, tooSlow);
      if (status >= 500 || status === 401 || status === 403) throw rejectedWith(status);
      return { status: 'ok', detail: 'It answers.' };
    } catch (error) {
      const failure = failureOf(error);
      throw failure instanceof ModelError ? new UnavailableError('llm', failure.message) : failure;
    }
  },
});
