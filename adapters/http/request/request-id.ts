import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerOf } from './headers.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The caller's id of the request if it is a plain one, else a new one. It is sent with every answer. A request keeps the
 * id that was assigned first, so that the log and the answer have the same one.
 */
export function stampRequestId(request: IncomingMessage, response: ServerResponse): string {
  const stamped = response.getHeader('x-request-id');
  if (typeof stamped === 'string') return stamped;
  const sent = headerOf(request, 'x-request-id') ?? '';
  const id = ACCEPTED.test(sent) ? sent : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
}
