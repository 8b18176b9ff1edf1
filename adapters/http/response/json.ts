import { isFresh, weakEtag } from '../pipeline/conditional.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { setHeadersWithoutCors, writeHead } from './common-headers.ts';
import { compressSync, withCompression } from './compression.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends a JSON text with its ETag; 304 if a client that reads already has it. Head and body leave in one write, which
 * Express and its middleware would split.
 */
export function sendJson(exchange: Exchange, status: number, text: string): void {
  const { request, response } = exchange;
  const etag = (exchange.etag ??= weakEtag(text));
  if (isSuccess(status) && isFresh(request, etag)) return sendNotModified(exchange);
  const accepted = request.headers['accept-encoding'];
  const isGet = request.method === 'GET';
  const compressed = accepted !== undefined && isGet ? compressSync(text, accepted) : undefined;
  if (compressed) {
    const { coding, bytes } = compressed;
    const encoding = ['Content-Encoding', coding, 'Content-Length', String(bytes.length)];
    send(exchange, status, [...encoding, 'Vary', 'Accept-Encoding', 'ETag', etag], bytes);
    return;
  }
  const headers = ['Content-Length', String(Buffer.byteLength(text)), 'ETag', etag];
  if (accepted !== undefined) {
    // The middleware reads and changes the headers of the response.
    setHeadersWithoutCors(exchange);
    withCompression(request, response);
  } else if (isGet || request.method === 'HEAD') headers.push('Vary', 'Accept-Encoding');
  send(exchange, status, headers, text);
}

function send(
  exchange: Exchange,
  status: number,
  headers: readonly string[],
  body: string | Buffer,
): void {
  writeHead(exchange, status, ['Content-Type', JSON_TYPE, ...headers]);
  exchange.response.end(body);
}

export function sendNotModified(exchange: Exchange): void {
  writeHead(exchange, 304, exchange.etag === undefined ? [] : ['ETag', exchange.etag]);
  exchange.response.end();
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
