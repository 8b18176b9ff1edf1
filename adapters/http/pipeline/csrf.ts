import type { IncomingMessage } from 'node:http';
import { forbidden } from '../../../core/shared/common-errors.ts';
import { requestedHost } from '../request/forwarded.ts';
import { headerOf } from '../request/headers.ts';
import { originOf } from '../request/session-cookie.ts';
import { shareAccessCookie } from '../request/share-cookie.ts';
import type { Method, Route } from '../route.ts';
import type { Exchange } from './exchange.ts';
import type { Principal } from './principal.ts';

/** Methods without an effect (RFC 9110 §9.2.1). */
const READS: ReadonlySet<Method> = new Set<Method>(['get', 'head', 'options']);

/**
 * Rejects a request that a page of another site made a browser send (403): credentials that browsers attach automatically
 * must not authorize it. A bearer token is not attached automatically, so requests with one are not checked.
 */
export function rejectCrossSite(
  exchange: Exchange,
  route: Route,
  { kind }: Pick<Principal, 'kind'>,
): void {
  const isRead = READS.has(route.method);
  const isForeign =
    kind === 'visitor'
      ? !isRead && isForeignVisit(exchange)
      : kind === 'sign-in'
        ? !isRead && isOfOtherOrigin(exchange)
        : exchange.hasSessionCookie &&
          (isRead ? isForeignRead(exchange) : !isSentBySamePage(exchange));
  if (isForeign)
    throw forbidden({}, undefined, kind === 'owner' ? NOT_OF_A_PAGE_HERE : OF_ANOTHER_SITE);
}

const OF_ANOTHER_SITE = 'The request was sent by a page of another site.';
const NOT_OF_A_PAGE_HERE =
  'With a session cookie this is allowed to pages of this service only. Programs use a token.';

/**
 * Whether a change by session cookie was sent by a page of the service, or by the user directly. A request that says
 * neither is rejected: every browser in use sends one of the headers with a change.
 */
function isSentBySamePage(exchange: Exchange): boolean {
  const { headers } = exchange.request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return isOwnSite(site);
  return headers.origin !== undefined && headers.origin === originOf(exchange);
}

const isOwnSite = (site: unknown): boolean => site === 'same-origin' || site === 'none';

/**
 * Whether a read by session cookie was caused by a page of another origin. `SameSite=Strict` keeps the cookie away from
 * requests of other sites, also from their links, so that a read with an effect (an export is recorded) cannot be caused
 * by them. It does not separate origins of one site, such as two ports of localhost or a subdomain: their pages may link to
 * the service, but not embed or fetch anything with the cookie. Origins of `CORS_ORIGINS` are no exception.
 */
function isForeignRead(exchange: Exchange): boolean {
  const { headers } = exchange.request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !isOwnSite(site) && headers['sec-fetch-mode'] !== 'navigate';
  return headers.origin !== undefined && headers.origin !== originOf(exchange);
}

/**
 * Whether a page of another origin caused the request, also by a link. It must not sign the browser in to an account of the
 * attacker, to which the user would then add documents (login CSRF), and must not renew a session. Programs send neither
 * header.
 */
export function isOfOtherOrigin(exchange: Exchange): boolean {
  const { headers } = exchange.request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !isOwnSite(site);
  return headers.origin !== undefined && headers.origin !== originOf(exchange);
}

/** Whether a page of another site changes something as a visitor of a share. */
function isForeignVisit({ request, format, context }: Exchange): boolean {
  const isBrowser = format === 'page' || shareAccessCookie(request) !== undefined;
  const { host } = context.baseUrl;
  return (
    isBrowser && isCrossSiteRequest(request, [host, requestedHost(request, context.trustProxy)])
  );
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
  if (site !== undefined) return !isOwnSite(site);
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}
