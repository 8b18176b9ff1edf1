import { api } from '../api/client.ts';
import { OfflineError, toApiError } from '../api/errors.ts';
import type { components } from '../api/schema.js';

export type HealthReport = components['schemas']['HealthReport'];

/**
 * The state of everything that the service depends on. A service that is degraded says so with 503 and the same report:
 * that is the answer, and no reason to repeat the request.
 */
export async function readHealth(signal: AbortSignal): Promise<HealthReport> {
  const once = (request: Request): Promise<Response> =>
    fetch(request).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new OfflineError('The service could not be reached.', { cause: error });
    });
  const { data, error, response } = await api.GET('/health/deep', { signal, fetch: once });
  const found = data ?? reportIn(error);
  if (!found) throw toApiError(response, error);
  return found;
}

const reportIn = (body: unknown): HealthReport | undefined =>
  typeof body === 'object' && body !== null && 'checks' in body
    ? (body as HealthReport)
    : undefined;
