import type { IncomingMessage } from 'node:http';
import { forbidden } from '../../../core/shared/common-errors.ts';
import { requestedHost } from '../request/forwarded.ts';
import { headerOf } from '../request/headers.ts';
import { shareAccessCookie } from '../request/share-cookie.ts';
import type { Route } from '../route.ts';
import type { Exchange } from './exchange.ts';

/**
 * Rejects a change that a page of another site made a browser send: credentials that browsers attach automatically must
 * not authorize it.
 */
export function rejectCrossSite(exchange: Exchange, { method }: Route): void {
  if (method === 'get') return;
  const { request, format, context } = exchange;
  const isBrowser = format === 'page' || shareAccessCookie(request) !== undefined;
  const { host } = context.baseUrl;
  if (isBrowser && isCrossSiteRequest(request, [host, requestedHost(request, context.trustProxy)]))
    throw forbidden({}, undefined, 'The request was sent by a page of another site.');
}

/**
 * Whether a page of another site made a browser send the request. Without Fetch Metadata its `Origin` decides. `null` is not
 * foreign: pages that hide their address send it as well.
 */
function isCrossSiteRequest(
  request: IncomingMessage,
  hosts: readonly (string | undefined)[],
): boolean {
  const site = headerOf(request, 'sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}
