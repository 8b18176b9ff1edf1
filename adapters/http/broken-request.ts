import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { v4 } from 'uuid';
import { HEADERS_TOO_LARGE, MALFORMED, TIMED_OUT, type Failure } from './failures.ts';

/** What node's parser complains of, by its code; anything else is simply no HTTP. */
const FAILURES: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TIMED_OUT,
};

/**
 * What can not be read as a request never reaches the routes. Its sender is told in the same form as everybody else,
 * unless an answer is already on its way: more bytes would be taken for a part of that.
 */
export function answerBrokenRequests(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const begun = answers.get(socket);
    const underWay = begun !== undefined && begun.headersSent && !begun.writableEnded;
    if (error.code !== 'ECONNRESET' && socket.writable && !underWay)
      socket.write(answerOf(FAILURES[error.code ?? ''] ?? MALFORMED));
    socket.destroy(error);
  });
}

function answerOf({ status, body }: Failure): string {
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${v4()}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: private, no-cache',
    'Connection: close',
    `\r\n${text}`,
  ].join('\r\n');
}
