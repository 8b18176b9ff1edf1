import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';

/** What the interface reads beside the headers that every page may send. */
const READ = [
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
const TOLD = [
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
export function crossOrigin(origins: readonly string[]) {
  const known = new Set(origins);
  const allow = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: READ,
    exposedHeaders: TOLD,
    maxAge: MAX_AGE_SECONDS,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (known.has(request.headers.origin ?? '')) return allow(request, response, next);
    response.vary('Origin');
    next();
  };
}
