import type { Exchange } from '../pipeline/exchange.ts';
import type { CookieChange } from './cookie-changes.ts';
import { isSecure, requestedHost } from './forwarded.ts';

/** A browser stores a cookie with this prefix only if it is `Secure`, has no `Domain` and is for `Path=/` (RFC 6265bis). */
const HOST_COOKIE = '__Host-session';
/** Over plain HTTP the prefix is impossible. Only a loopback address is safe without encryption. */
const LOOPBACK_COOKIE = 'session';

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

type Site = Pick<Exchange, 'request' | 'context'>;

/** The scheme by which browsers reach the service: of `PUBLIC_URL`, else as the request was sent. */
const isHttps = ({ request, context: { baseUrl, trustProxy } }: Site): boolean =>
  baseUrl.host === undefined ? isSecure(request, trustProxy) : baseUrl.secure;

const hostOf = ({ request, context: { baseUrl, trustProxy } }: Site): string | undefined =>
  baseUrl.host ?? requestedHost(request, trustProxy);

/** The origin of the service as browsers see it; undefined if it cannot be known. */
export function originOf(site: Site): string | undefined {
  const address = `${isHttps(site) ? 'https' : 'http'}://${hostOf(site) ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Whether browsers reach the service without encryption, but within their machine. */
export const isOnLoopback = (site: Site): boolean =>
  !isHttps(site) && LOOPBACK.test(hostOf(site) ?? '');

/**
 * The secret in the session cookie; undefined without one. A repeated cookie results in '', which is no secret: a page of
 * another port or a subdomain may have added the second one, and the order in which browsers send them is not defined. It
 * is not cleared either, because then the added one would remain, and with it the session of the attacker. Only the
 * cookie of loopback addresses can be repeated.
 */
export const sessionSecret = (site: Site): string | undefined =>
  cookieOf(site, isOnLoopback(site) ? LOOPBACK_COOKIE : HOST_COOKIE);

/** The value of a cookie; '' if it is repeated. */
export function cookieOf(
  { request: { headers } }: Pick<Site, 'request'>,
  wanted: string,
): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  let found: string | undefined;
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== wanted) continue;
    if (found !== undefined) return '';
    found = pair.slice(equals + 1).trim();
  }
  return found;
}

/**
 * Sets or clears the session cookie. No script can read it, and no request that a page of another site causes has it. A
 * later change replaces an earlier one. A secret that a sign-in has replaced meanwhile clears nothing.
 */
export function changeSessionCookie(
  exchange: Pick<Exchange, 'request' | 'response' | 'context'>,
  change: CookieChange,
): void {
  const { replacedSecrets } = exchange.context;
  const sent = sessionSecret(exchange) ?? '';
  if (change.kind === 'clear' && replacedSecrets.has(sent)) return;
  if (change.kind === 'set' && sent !== '') replacedSecrets.add(sent);
  const isLocal = isOnLoopback(exchange);
  const name = isLocal ? LOOPBACK_COOKIE : HOST_COOKIE;
  exchange.response.setHeader('Set-Cookie', setCookieText(name, change, 'Strict', isLocal));
}

/** A `Set-Cookie` header for all paths of this host. Only a loopback address gets it without `Secure`. */
export function setCookieText(
  name: string,
  change: CookieChange,
  sameSite: 'Strict' | 'Lax',
  isLocal: boolean,
): string {
  const [value, maxAge] = change.kind === 'set' ? [change.secret, change.maxAgeSeconds] : ['', 0];
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${isLocal ? '' : '; Secure'}`;
}
