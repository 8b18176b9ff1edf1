import { SERVICE } from '../../app/address.ts';
import { ApiError, toApiError } from '../../api/errors.ts';

const MAX_ATTEMPTS = 4;
const DEFAULT_WAIT_SECONDS = 2;
const MAX_WAIT_SECONDS = 60;
const STATUS_OF_CODE = new Map([['deadline', 504]]);

/** The reason of `unavailable` if the model is, and not the service. */
const MODEL_IS_BUSY = 'busy';

const modelFailed = ({ status, message, requestId }: ApiError): ApiError =>
  new ApiError(status, 'upstream_failed', message, requestId);

/** A request whose reply comes as events. */
export const eventRequest = (path: string, body: object, signal: AbortSignal): Request =>
  new Request(`${SERVICE || location.origin}${path}`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });

/** Waits for the seconds of `Retry-After` and tries again while the service is overloaded or limits requests. */
export async function untilAdmitted(
  send: () => Promise<Response>,
  report: (isWaiting: boolean) => void,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    if (response.ok) return response;
    const error = toApiError(response, await response.json().catch(() => undefined));
    // The question is stored already, so a repetition would store it again.
    if (error.reason === MODEL_IS_BUSY) throw modelFailed(error);
    const isBusy = error.code === 'rate_limited' || error.code === 'unavailable';
    if (!isBusy || attempt >= MAX_ATTEMPTS) throw error;
    report(true);
    await delay(waitSeconds(response) * 1_000, signal);
    report(false);
  }
}

/** The stream ended without its last event. */
export const brokenOff = (response: Response): ApiError =>
  new ApiError(502, 'broken_off', '', requestIdOf(response));

/** The error that an `error` event reports. */
export function errorOf(content: unknown, response: Response): ApiError {
  const { code, detail } = content as { code: string; detail: string };
  return new ApiError(STATUS_OF_CODE.get(code) ?? 502, code, detail, requestIdOf(response));
}

const requestIdOf = (response: Response): string => response.headers.get('x-request-id') ?? '';

function waitSeconds(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_WAIT_SECONDS);
  return Math.min(Number.isFinite(seconds) ? seconds : DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS);
}

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
