import { CorruptBlobError } from '../../../ports/blobs.ts';
import {
  CLIENT_CLOSED_REQUEST,
  INTERNAL,
  toErrorReply,
  type ErrorReply,
} from '../pipeline/errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { sendErrorEvent } from '../pipeline/streaming.ts';
import { CSP_DENY_ALL, setCommonHeaders, setHeadersWithoutCors } from './common-headers.ts';
import { renderPage } from './page.ts';
import { isUnread, sendPlainText, sendText } from './text.ts';

/** Headers that an operation may have set for a representation before it failed. None of them describes the error. */
const REPRESENTATION_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
];

/**
 * Sends an error as JSON, page or event, in the format of the exchange. Once the head of another response has been sent, the
 * connection is closed, so that the client does not take a part for the whole.
 */
export function sendError(exchange: Exchange, error: unknown): Promise<void> | void {
  const { request, response, stream, route, params, context } = exchange;
  exchange.permit.release();
  const reply = toErrorReply(error);
  if (response.destroyed || request.socket.destroyed) {
    if (reply === CLIENT_CLOSED_REQUEST) response.statusCode = reply.status;
    // Damaged bytes are the reason why the connection was closed; other errors have no recipient.
    if (error instanceof CorruptBlobError) exchange.report(error);
    return;
  }
  if (reply.cause !== undefined) exchange.report(reply.cause);
  if (response.headersSent) {
    if (stream) return sendErrorEvent(stream, reply);
    response.destroy();
    return;
  }
  setErrorHeaders(exchange, reply);
  const page =
    exchange.format === 'page' ? route?.errorPage?.(reply, params, context.baseUrl) : undefined;
  const text = page
    ? renderPage(exchange, page)
    : JSON.stringify({ ...reply.body, ...route?.errorBodyFields });
  const send = isUnread(exchange) ? sendPlainText : sendText;
  send(exchange, reply.status, page ? 'html' : 'json', text);
}

/** Responds before routing, always as JSON: to a malformed request, or to one that is shed. */
export function sendEarlyError(exchange: Exchange, reply: ErrorReply): void {
  const { response } = exchange;
  setCommonHeaders(exchange);
  if (response.destroyed) response.statusCode = CLIENT_CLOSED_REQUEST.status;
  else sendPlainError(exchange, reply);
  exchange.finish();
}

/**
 * The last resort, for an error while a request is started or an error is sent. Sends a plain 500 if nothing has been sent.
 * Otherwise it closes the connection, so that the client notices the truncated response.
 */
export function abandon(exchange: Exchange, error: unknown): void {
  const { response, permit } = exchange;
  permit.release();
  exchange.report(error);
  if (response.headersSent || response.destroyed) response.destroy();
  else {
    setErrorHeaders(exchange, INTERNAL);
    sendPlainError(exchange, INTERNAL);
  }
  exchange.finish();
}

/** Responds in place of an operation that threw an uncaught error. */
export function respondToUncaught(exchange: Exchange): void {
  const { response } = exchange;
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) response.destroy();
  else {
    setErrorHeaders(exchange, INTERNAL);
    response.setHeader('Connection', 'close');
    sendPlainError(exchange, INTERNAL);
  }
  exchange.finish();
}

function setErrorHeaders(exchange: Exchange, { status, retryAfter }: ErrorReply): void {
  const { response } = exchange;
  setHeadersWithoutCors(exchange);
  for (const name of REPRESENTATION_HEADERS) response.removeHeader(name);
  response.setHeader('Content-Security-Policy', CSP_DENY_ALL);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
}

function sendPlainError(exchange: Exchange, { status, body, retryAfter }: ErrorReply): void {
  if (retryAfter !== undefined) exchange.response.setHeader('Retry-After', retryAfter);
  sendPlainText(exchange, status, 'json', JSON.stringify(body));
}
