import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange, ServerContext } from '../pipeline/exchange.ts';

/** The Content-Security-Policy of everything that is not meant to be rendered. */
export const CSP_DENY_ALL = "default-src 'none'; frame-ancestors 'none'";

/** Browser features that the service's pages do not use and deny to embedded content. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** The same in every response. Files and pages replace some of them. */
export const COMMON_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', CSP_DENY_ALL],
  // An owner's data must not be stored in any cache, not even the browser's.
  ['Cache-Control', 'private, no-store'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  // Holds for embedding only: pages of CORS_ORIGINS call the interface in the mode that CORS governs (Fetch standard).
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
];

const FLAT: readonly string[] = COMMON_HEADERS.flat();
const HSTS = 'max-age=31536000';

/** Sets the common headers one by one, for a response to which later stages add their own. */
export function setCommonHeaders(exchange: Exchange): void {
  if (exchange.hasCommonHeaders) return;
  exchange.hasCommonHeaders = true;
  const { response } = exchange;
  response.setHeader('x-request-id', exchange.requestId);
  for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
  if (isHttps(exchange.request, exchange.context))
    response.setHeader('Strict-Transport-Security', HSTS);
  if (exchange.context.stopping()) response.setHeader('Connection', 'close');
  setRateLimitHeaders(exchange);
}

/** The same for a response that has not passed the CORS middleware, which sets `Vary` otherwise. */
export function setHeadersWithoutCors(exchange: Exchange): void {
  if (exchange.hasCommonHeaders) return;
  setCommonHeaders(exchange);
  if (exchange.context.variesByOrigin) exchange.response.setHeader('Vary', 'Origin');
}

export function setRateLimitHeaders({ response, rateLimit }: Exchange): void {
  if (!rateLimit) return;
  response.setHeader('RateLimit-Limit', rateLimit.limit);
  response.setHeader('RateLimit-Remaining', rateLimit.remaining);
  response.setHeader('RateLimit-Reset', rateLimit.resetSeconds);
}

/**
 * Writes the head of a response. If no header has been set before, all of them go to Node in one list, which costs less
 * than setting each of them. Otherwise the given ones are added; `Vary` never replaces what it holds.
 */
export function writeHead(exchange: Exchange, status: number, headers: readonly string[]): void {
  const { request, response, context, rateLimit } = exchange;
  if (exchange.hasCommonHeaders) {
    response.statusCode = status;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const [name, value] = [headers[i] ?? '', headers[i + 1] ?? ''];
      if (name === 'Vary') response.appendHeader(name, value);
      else response.setHeader(name, value);
    }
    return;
  }
  const list = ['x-request-id', exchange.requestId, ...FLAT];
  if (isHttps(request, context)) list.push('Strict-Transport-Security', HSTS);
  if (context.stopping()) list.push('Connection', 'close');
  if (context.variesByOrigin) list.push('Vary', 'Origin');
  if (rateLimit)
    list.push(
      ...['RateLimit-Limit', String(rateLimit.limit)],
      ...['RateLimit-Remaining', String(rateLimit.remaining)],
      ...['RateLimit-Reset', String(rateLimit.resetSeconds)],
    );
  list.push(...headers);
  response.writeHead(status, list);
  exchange.hasCommonHeaders = true;
}

/** By a trusted proxy's word, else by the public URL. HSTS has no effect over plain HTTP (RFC 6797 §7.2). */
function isHttps({ headers }: IncomingMessage, { trustProxy, baseUrl }: ServerContext) {
  const forwarded = trustProxy > 0 ? headers['x-forwarded-proto'] : undefined;
  return forwarded === undefined ? baseUrl.secure : /^\s*https\s*(?:,|$)/i.test(String(forwarded));
}

/** Adds a field name to `Vary`. */
export function addVary(response: ServerResponse, name: string): void {
  const names = response.getHeader('Vary');
  response.setHeader('Vary', names === undefined ? name : `${String(names)}, ${name}`);
}
