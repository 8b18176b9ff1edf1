import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';

export interface TokenRow {
  readonly owner_id: string;
  readonly digest: string;
}

const MOST = 1e9;
const windows = new Map<string, { window: number; count: number }>();

/** The bearer token of a request, and its lookup prefix. */
export function bearerOf(request: Request): readonly [bearer: string, prefix: string] {
  const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
  return [bearer, bearer.slice(4, 12)];
}

/**
 * The minimum of work besides the response: verifies the token by its hash, counts the request in this minute,
 * assigns a request id. Returns whether the request may continue.
 */
export function isAuthorized(
  response: Response,
  bearer: string,
  row: TokenRow | undefined,
): boolean {
  const digest = Buffer.from(hash('sha256', bearer));
  if (!row || !timingSafeEqual(digest, Buffer.from(row.digest))) {
    response.status(401).end();
    return false;
  }
  const now = Date.now();
  const window = Math.floor(now / 60_000);
  const counted = windows.get(row.owner_id);
  const count = counted?.window === window ? counted.count + 1 : 1;
  windows.set(row.owner_id, { window, count });
  response.setHeader('x-request-id', randomUUID());
  response.setHeader('RateLimit-Limit', MOST);
  response.setHeader('RateLimit-Remaining', MOST - count);
  response.setHeader('RateLimit-Reset', 60 - (Math.floor(now / 1_000) % 60));
  if (count <= MOST) return true;
  response.status(429).end();
  return false;
}

/** Sends the ETag, and 304 if it matches. */
export function sendIfUnchanged(request: Request, response: Response, version: unknown): boolean {
  const etag = `W/"${String(version)}"`;
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] !== etag) return false;
  response.status(304).end();
  return true;
}
