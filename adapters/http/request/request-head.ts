import type { IncomingMessage } from 'node:http';
import { BAD_HOST, EXPECTATION_FAILED, MALFORMED, type ErrorReply } from '../pipeline/errors.ts';

/** `host [":" port]` (RFC 3986 §3.2): a registered name, an IPv4 address or an IPv6 address in brackets. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;
/** In origin form, without a fragment: nearly every target. */
const PLAIN_TARGET = /^\/[^#]*$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Finds the error in the head of a request, before routing. Node's own checks answer without a body and a request id, and
 * accept two `Host` headers.
 *
 * - 400 for HTTP/0.9, which has no headers to answer with.
 * - 400 for a `Host` that is missing in HTTP/1.1, repeated or malformed (RFC 9112 §3.2).
 * - 417 for an expectation other than `100-continue`, which HTTP/1.0 does not know (RFC 9110 §10.1.1).
 *
 * A target in absolute form is brought into origin form, and its authority counts as the host (RFC 9112 §3.2.2). A
 * fragment is no part of a target (RFC 9112 §3.2) and is dropped.
 */
export function validateRequestHead(request: IncomingMessage): ErrorReply | undefined {
  const { headers, httpVersionMajor, httpVersionMinor, url = '' } = request;
  if (httpVersionMajor !== 1) return MALFORMED;
  const hosts = countHosts(request.rawHeaders);
  const mayLackHost = httpVersionMinor === 0 && hosts === 0;
  if (!mayLackHost && (hosts !== 1 || !HOST.test(headers.host ?? ''))) return BAD_HOST;
  const { expect } = headers;
  if (expect !== undefined && httpVersionMinor > 0 && expect.toLowerCase() !== '100-continue')
    return EXPECTATION_FAILED;
  if (PLAIN_TARGET.test(url)) return undefined;
  // No route has this path. As it is, express would give it to a parser that Node warns about, and a fragment as well.
  const fault = url === '*' ? undefined : faultOfTarget(request, url);
  request.url = url === '*' ? '/*' : request.url?.replace(/#.*$/s, '');
  return fault;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function faultOfTarget(request: IncomingMessage, url: string): ErrorReply | undefined {
  if (url.startsWith('/')) return undefined;
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return MALFORMED;
  if (!HOST.test(authority)) return BAD_HOST;
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}
