import { Agent, request } from 'undici';
import { createSsrfSafeConnector, type OutboundPolicy } from './ssrf-guard.ts';

/**
 * The status of the response to a GET, within a time limit; rejects with the network error, or with `late` after the
 * limit.
 */
export async function fetchStatus(
  url: URL,
  headers: Readonly<Record<string, string>>,
  rules: OutboundPolicy,
  timeMs: number,
  late: (ms: number) => Error,
): Promise<number> {
  const agent = new Agent({
    connect: createSsrfSafeConnector(rules, timeMs),
    headersTimeout: timeMs,
    bodyTimeout: timeMs,
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(timeMs)), timeMs);
  });
  try {
    const answered = request(url, {
      dispatcher: agent,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'OwnerWorkspace',
        ...headers,
      },
    });
    const { statusCode, body } = await Promise.race([answered, tooLate]);
    body.on('error', () => undefined).destroy();
    return statusCode;
  } finally {
    clearTimeout(timer);
    // Also while connecting: the request is cancelled and its result ignored.
    void agent.destroy().catch(() => undefined);
  }
}
