import { isFresh, weakEtag } from '../pipeline/conditional.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { hasBody } from '../request/body-reader.ts';
import { withCompression } from './compression.ts';
import { respondBeforeBodyRead } from './early-response.ts';

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

export type TextType = keyof typeof CONTENT_TYPES;

/** Sends a text with its ETag, compressed where the client accepts that; 304 if a client that reads already has it. */
export function sendText(exchange: Exchange, status: number, type: TextType, text: string): void {
  const { request, response } = exchange;
  const etag = weakEtag(text);
  response.setHeader('ETag', etag);
  if (status === 200 && isFresh(request, etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', CONTENT_TYPES[type]);
  withCompression(request, response);
  response.statusCode = status;
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (request.method === 'HEAD') response.end();
  else response.end(text);
}

/** Sends a text without ETag and compression, also while the client is still sending a body. */
export function sendPlainText(
  exchange: Exchange,
  status: number,
  type: TextType,
  text: string,
): void {
  const { request, response } = exchange;
  response.statusCode = status;
  response.setHeader('Content-Type', CONTENT_TYPES[type]);
  if (isUnread(exchange)) respondBeforeBodyRead(request, response, text);
  else response.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}

/** Whether the client is still sending a body. */
export const isUnread = ({ request }: Exchange): boolean => !request.complete && hasBody(request);
