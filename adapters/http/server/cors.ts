import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';
import { headerOf } from '../request/headers.ts';
import type { BaseUrl } from '../pages/base-url.ts';

/** What the interface reads beside the headers that every page may send. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Hidden-Token',
  'X-Request-Id',
  'X-Share-Access',
];
/** What an answer tells beside the headers that every page may read. */
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
];
const MAX_AGE_SECONDS = 600;

/**
 * Lets pages of these origins call the interface (Fetch standard, CORS protocol). To every other origin it answers as
 * if there were no such thing; without credentials, for the bearer token is all that is asked for.
 */
export function corsMiddleware(origins: readonly string[]) {
  const known = new Set(origins);
  const allow = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: MAX_AGE_SECONDS,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (known.has(request.headers.origin ?? '')) return allow(request, response, next);
    response.appendHeader('Vary', 'Origin');
    next();
  };
}

/**
 * Whether a page of somebody else made a browser send this. Where the browser does not say so itself (Fetch Metadata),
 * its `Origin` tells; `null` tells nothing, for pages that keep their address to themselves are without one too.
 */
export function isCrossSiteRequest(request: Request, { host }: BaseUrl): boolean {
  const from = headerOf(request, 'sec-fetch-site');
  if (from !== undefined) return from !== 'same-origin' && from !== 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || ![host, request.host].includes(new URL(origin).host);
}
