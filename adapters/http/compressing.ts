import compression from 'compression';
import type { Request, Response } from 'express';

/** JSON, pages and what these load, when they are fetched; bytes of files go out as they are. */
const compressible = (request: Request, response: Response): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  /^(application\/json|text\/(html|css|javascript))/.test(
    String(response.getHeader('Content-Type')),
  );

const compress = compression({ filter: compressible });

/**
 * The response, from here on compressed where the client asks and the body is worth it. To be called where there is a
 * body: what has none does not pay for it.
 */
export function compressing(request: Request, response: Response): Response {
  compress(request, response, () => undefined);
  return response;
}
