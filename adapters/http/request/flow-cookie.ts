import type { Exchange } from '../pipeline/exchange.ts';
import type { CookieChange } from './cookie-changes.ts';
import { cookieOf, isOnLoopback, setCookieText } from './session-cookie.ts';

const HOST_COOKIE = '__Host-oidc';
const LOOPBACK_COOKIE = 'oidc';

type Site = Pick<Exchange, 'request' | 'context'>;

const nameFor = (site: Site): string => (isOnLoopback(site) ? LOOPBACK_COOKIE : HOST_COOKIE);

/** The secret in the cookie; undefined without one. */
export const flowSecret = (site: Site): string | undefined => cookieOf(site, nameFor(site));

/**
 * Sets or clears the cookie, beside those that are set already. It is sent with navigations from other sites, unlike the
 * session cookie, since the provider sends the browser back.
 */
export function changeFlowCookie(
  exchange: Pick<Exchange, 'request' | 'response' | 'context'>,
  change: CookieChange,
): void {
  const text = setCookieText(nameFor(exchange), change, 'Lax', isOnLoopback(exchange));
  exchange.response.appendHeader('Set-Cookie', text);
}
