import { PortFailure } from '../../../ports/failures.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import { ModelFailure, type ModelEndpoint } from '../../../ports/language-model.ts';
import type { OutboundRules } from '../connector.ts';
import { failureOf, refusedWith, tooSlow } from './failures.ts';
import { modelsUrl } from './question.ts';

/**
 * Whether the operator's model can be reached, without asking it anything: its service is asked which models it has, and
 * whatever it answers to that, short of refusing the key or failing, will do. Not every service lists its models.
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
      const status = await statusOf(endpoint, rules, timeMs);
      if (status >= 500 || status === 401 || status === 403) throw refusedWith(status);
      return { status: 'ok', detail: 'It answers.' };
    } catch (error) {
      const failure = failureOf(error);
      throw failure instanceof ModelFailure ? new PortFailure('llm', failure.message) : failure;
    }
  },
});

/** The client is loaded with the first question, as it is for an answer. */
async function statusOf(
  { baseUrl, key }: ModelEndpoint,
  rules: OutboundRules,
  timeMs: number,
): Promise<number> {
  const { Agent, request } = await import('undici');
  const { guardedConnector } = await import('../connector.ts');
  const agent = new Agent({
    connect: guardedConnector(rules, timeMs),
    headersTimeout: timeMs,
    bodyTimeout: timeMs,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(timeMs)), timeMs);
  });
  try {
    const answered = request(modelsUrl(baseUrl), {
      dispatcher: agent,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'OwnerWorkspace',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
    });
    const { statusCode, body } = await Promise.race([answered, late]);
    body.on('error', () => undefined).destroy();
    return statusCode;
  } finally {
    clearTimeout(timer);
    // Also in the middle of a connection; what was asked ends with it, and nobody waits for it.
    void agent.destroy().catch(() => undefined);
  }
}
