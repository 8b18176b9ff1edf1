import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Core } from '../../../core/index.ts';
import type { AnyJsonRoute, AnyRequest, Route } from '../route.ts';

type Etag = (url: string, input: AnyRequest) => Promise<string>;

/** Weak, because the same representation may be sent compressed or not. */
export const weakEtag = (body: Buffer | string): string => `W/"${hash('sha1', body, 'base64url')}"`;

/**
 * The ETag of a route's replies, computed without making them; undefined for routes that can not. It holds a digest of the
 * reply's schema, because another release may reply in another form. Owner and URL are in it, because a client may send
 * any ETag that it has.
 */
export function etagFor(route: Route, core: Core): Etag | undefined {
  const etag = (route as AnyJsonRoute).etag?.bind(route);
  if (!etag) return undefined;
  const form = hash('sha1', JSON.stringify((route as AnyJsonRoute).reply.json), 'base64url');
  return async (url, input) =>
    weakEtag(`${form}\n${input.caller.scope.ownerId}\n${url}\n${await etag(core, input)}`);
}

/**
 * Whether a client that reads already has this representation (RFC 9110 §13.2.2): 304. `If-None-Match` is compared even with
 * `Cache-Control: no-cache`, which fetch adds to every request with an ETag and which is meant for caches on the way.
 */
export function isFresh(
  { method, headers }: IncomingMessage,
  etag: string | undefined,
  lastModified?: string,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && noneMatch !== '')
    return noneMatch === '*' || (etag !== undefined && matchesEtag(noneMatch, etag));
  const since = headers['if-modified-since'];
  if (since === undefined || lastModified === undefined) return false;
  // Without an ETag `no-cache` requests the whole representation, as a browser does on reload.
  const reloads = noneMatch === undefined && NO_CACHE.test(headers['cache-control'] ?? '');
  return !reloads && Date.parse(lastModified) <= Date.parse(since);
}

const NO_CACHE = /(?:^|,)\s*?no-cache\s*?(?:,|$)/;

/** Whether a list of ETags holds this one by weak comparison (RFC 9110 §13.1.2). */
export const matchesEtag = (condition: string, etag: string): boolean =>
  condition.trim() === '*' ||
  condition.split(',').some((each) => opaque(each.trim()) === opaque(etag));

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);
