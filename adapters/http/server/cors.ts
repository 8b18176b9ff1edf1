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
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
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
  'Location',
  'Object-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Task-Id',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-Request-Id',
];
const MAX_AGE_SECONDS = 600;

/**
 * Allows pages of these origins to call the interface (Fetch standard, CORS protocol). Other origins get the same responses
 * as without CORS. Credentials are not allowed: pages of other origins use bearer tokens, never the session cookie.
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
