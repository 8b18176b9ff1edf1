import type { CustomFetch } from 'openid-client';
import { Agent, request } from 'undici';
import { readBody } from '../body.ts';
import { RequestTimeout } from '../request-timeout.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import { closing, failing, tooLarge, tooSlow, toNetworkError, unsafeAddress } from './failures.ts';
import { isSafeAddress } from './safe-address.ts';

const MAX_BODY_BYTES = 262_144;
const MAX_HEADER_BYTES = 65_536;
/** Responses that have no body by definition (Fetch standard, "null body status"). */
const WITHOUT_BODY: readonly number[] = [101, 204, 205, 304];
const PASSING: readonly number[] = [408, 425, 429];

export interface GuardedFetchSettings {
  readonly rules: OutboundPolicy;
  readonly timeoutMs: number;
  /** Requests in progress are in this set. */
  readonly running: Set<RequestTimeout>;
  readonly isClosed: () => boolean;
}

/**
 * The fetch of the OpenID Connect client: over a dedicated connection behind the SSRF guard, with a deadline for the whole
 * exchange and a limit of the body. No redirect is followed.
 */
export function createGuardedFetch({
  rules,
  timeoutMs,
  running,
  isClosed,
}: GuardedFetchSettings): CustomFetch {
  return async (address, { method, headers, body }) => {
    if (isClosed()) throw closing();
    const url = new URL(address);
    if (!isSafeAddress(url)) throw unsafeAddress();
    const watch = new RequestTimeout({ idleMs: timeoutMs, totalMs: timeoutMs }, tooSlow);
    const agent = new Agent({
      connect: createSsrfSafeConnector(rules, timeoutMs),
      // RequestTimeout enforces the time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    running.add(watch);
    watch.begin();
    try {
      const response = await watch.within(
        request(url, {
          dispatcher: agent,
          signal: watch.signal,
          method: method as 'GET' | 'POST',
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'OwnerWorkspace' },
          body: body === undefined || body === null ? null : textOf(body),
        }),
      );
      const { statusCode, headers: received } = response;
      response.body.on('error', () => undefined);
      if (statusCode >= 500 || PASSING.includes(statusCode)) throw failing(statusCode);
      const bytes = await watch.within(
        readBody(response.body, String(received['content-encoding'] ?? ''), {
          maxBytes: MAX_BODY_BYTES,
          tooLarge,
          signal: watch.signal,
        }),
      );
      return new Response(WITHOUT_BODY.includes(statusCode) ? null : Buffer.from(bytes), {
        status: statusCode,
        headers: { 'content-type': String(received['content-type'] ?? '') },
      });
    } catch (error) {
      throw toNetworkError(error);
    } finally {
      running.delete(watch);
      watch.end(tooSlow(timeoutMs));
      // The exchange has ended: an error of closing its connections concerns no caller.
      void agent.destroy().catch(() => undefined);
    }
  };
}

/** The client sends forms only. */
function textOf(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('The body of a request to the identity provider is a form.');
}
