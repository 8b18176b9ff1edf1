import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../request/body-reader.ts';
import {
  accessEntry,
  stampHeaders,
  type AccessEntry,
  type EnvelopeOptions,
} from '../server/access-log.ts';
import { CLIENT_CLOSED_REQUEST, type ErrorReply } from '../pipeline/errors.ts';
import { respondBeforeBodyRead } from './early-response.ts';

export interface EarlyAnswerOptions extends EnvelopeOptions {
  onAccess(entry: AccessEntry): void;
}

/** Answers a request with an error before any route is looked for, in the form that every error has. */
export function answerEarly(
  options: EarlyAnswerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  failure: ErrorReply,
): void {
  const from = performance.now();
  const requestId = stampHeaders(options, request, response);
  const disconnected = response.destroyed;
  if (!disconnected) sendFailure(request, response, failure);
  const { status } = disconnected ? CLIENT_CLOSED_REQUEST : failure;
  options.onAccess(
    accessEntry(request, status, { requestId, route: 'none', from, ownerId: undefined }),
  );
}

/** Sends an error as JSON over a response that has its common headers. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, retryAfter }: ErrorReply,
): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!request.complete && hasBody(request)) respondBeforeBodyRead(request, response, text);
  else response.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}
