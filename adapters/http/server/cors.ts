import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';

/** Request headers of the interface beyond those that every page may send. */
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
/** Response headers of the interface beyond those that every page may read. */
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
 * Allows pages of these origins to call the interface (Fetch standard, CORS protocol). Other origins get the same responses
 * as without CORS. No credentials are allowed, because the bearer token is the only one.
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
