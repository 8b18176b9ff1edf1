import { hasOtherOwner, isSignedIn } from '../state/session-state.ts';
import { whileUnlocked } from '../state/zone-token.ts';
import { OfflineError } from './errors.ts';

const MAX_ATTEMPTS = 4;
const DEFAULT_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 30;

/** Of these, 429 is the answer to a wrong secret as well: the owner decides when to try again. */
const SECRETS = /\/v1\/(sign-in|me|hidden-pin)(\/|$)/;

/** A request that sees nothing of the hidden zone, even while it is open. */
export const withoutZone = (request: Request): Promise<Response> => requestOf(request, false);

/**
 * A request with the session cookie. While the hidden zone is open it carries the unlock token, and is aborted when the
 * zone locks. Where the service is overloaded or limits requests it waits as long as the service says, and is repeated if
 * that does nothing twice.
 */
export async function requestOf(request: Request, isOfZone = true): Promise<Response> {
  // Who reads a stream of events opens it again in its own time.
  const isStream = request.headers.get('accept') === 'text/event-stream';
  const statuses = isStream ? NONE : repeatedAt(request);
  const wasSignedIn = isSignedIn.peek();
  for (let attempt = 1; ; attempt++) {
    const response = await send(statuses === NONE ? request : request.clone(), isOfZone);
    if (response.status === 401) isSignedIn.value = false;
    if (attempt >= MAX_ATTEMPTS || !statuses.has(response.status)) return response;
    await delay(retrySeconds(response) * 1_000, request.signal);
    // The session ended meanwhile: the next one may be that of another owner.
    if (wasSignedIn && !isSignedIn.peek()) return response;
  }
}

const NONE: ReadonlySet<number> = new Set();
/** The request was not begun. */
const LIMITED: ReadonlySet<number> = new Set([429]);
const OVERLOAD: ReadonlySet<number> = new Set([429, 503]);

function repeatedAt({ method, headers, url }: Request): ReadonlySet<number> {
  if (method === 'GET') return OVERLOAD;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? true;
  if (!isJson || SECRETS.test(new URL(url).pathname)) return NONE;
  return method !== 'POST' || headers.has('idempotency-key') ? OVERLOAD : LIMITED;
}

async function send(request: Request, isOfZone: boolean): Promise<Response> {
  if (hasOtherOwner.peek()) throw new DOMException('Another owner is signed in.', 'AbortError');
  const unlocked = isOfZone ? whileUnlocked() : undefined;
  const headers = new Headers(request.headers);
  if (unlocked) headers.set('x-hidden-token', unlocked.token);
  const signal = unlocked ? AbortSignal.any([request.signal, unlocked.signal]) : request.signal;
  try {
    return await fetch(
      new Request(request, { headers, signal, cache: unlocked ? 'no-store' : 'default' }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw new OfflineError('The service could not be reached.', { cause: error });
  }
}

function retrySeconds(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_RETRY_SECONDS);
  return Math.min(Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_SECONDS, MAX_RETRY_SECONDS);
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
