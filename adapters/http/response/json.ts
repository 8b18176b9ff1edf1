import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { compressSync, withCompression } from './compression.ts';
import { matchesEtag, weakEtag } from '../pipeline/conditional.ts';

/**
 * Sends a text that is JSON, with the tag the response has or else one of the text; nothing but the tag where that is
 * what a reading client has. Head and text go out in one piece, which express and its middleware would take apart.
 */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): void {
  let etag = response.getHeader('ETag') as string | undefined;
  if (etag === undefined) response.setHeader('ETag', (etag = weakEtag(text)));
  const condition = request.headers['if-none-match'];
  const reading = request.method === 'GET' || request.method === 'HEAD';
  if (condition !== undefined && reading && isSuccess(status) && matchesEtag(condition, etag))
    return sendNotModified(response);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const accepted = request.headers['accept-encoding'];
  const compressed =
    accepted !== undefined && request.method === 'GET' ? compressSync(text, accepted) : undefined;
  if (compressed) {
    response.setHeader('Content-Encoding', compressed.coding);
    response.setHeader('Content-Length', compressed.bytes.length);
    response.appendHeader('Vary', 'Accept-Encoding');
    response.end(compressed.bytes);
    return;
  }
  // Whoever takes no coding does not pay for the choice of one.
  if (accepted !== undefined) withCompression(request as Request, response as Response);
  else if (reading) response.appendHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function sendNotModified(response: ServerResponse): void {
  response.statusCode = 304;
  response.end();
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
