import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v4 } from 'uuid';
import { COMMON_HEADERS } from '../response/common-headers.ts';
import type { ConnectionTracker } from './connections.ts';
import {
  HEADERS_TOO_LARGE,
  MALFORMED,
  METHOD_NOT_ALLOWED,
  TIMED_OUT,
  type ErrorReply,
} from '../pipeline/errors.ts';

/** Errors of Node's parser by code; all others are malformed requests. */
const FAILURES: ReadonlyMap<string | undefined, ErrorReply> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['ERR_HTTP_REQUEST_TIMEOUT', TIMED_OUT],
]);

/**
 * Responds to bytes that are not a request, with the usual error body. Not while another response is being sent: more bytes
 * would be taken for a part of it.
 */
export function handleClientErrors(server: Server, exchanges: ConnectionTracker): void {
  server.on('clientError', (error: NodeJS.ErrnoException, connection: Duplex) => {
    const begun = exchanges.underWay(connection)?.headersSent ?? false;
    if (error.code !== 'ECONNRESET' && connection.writable && !begun)
      connection.write(answerOf(FAILURES.get(error.code) ?? MALFORMED));
    connection.destroy(error);
  });
  // CONNECT is for proxies. Without a listener Node closes the connection without a response.
  server.on('connect', (_request, connection: Duplex) => {
    connection.on('error', () => connection.destroy());
    connection.end(answerOf(METHOD_NOT_ALLOWED, [`Allow: ${METHODS}`]), () => connection.destroy());
  });
}

/** All methods that any route accepts. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

function answerOf({ status, body }: ErrorReply, headers: readonly string[] = []): string {
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${v4()}`,
    ...COMMON_HEADERS.map(([name, value]) => `${name}: ${value}`),
    ...headers,
    'Connection: close',
    `\r\n${text}`,
  ].join('\r\n');
}
