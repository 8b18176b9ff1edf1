import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerOf } from './headers.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of the request when it is a plain one, else a new one. Goes out with every answer. */
export function stampRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = headerOf(request, 'x-request-id') ?? '';
  const id = ACCEPTED.test(sent) ? sent : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
}
