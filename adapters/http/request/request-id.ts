import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerOf } from './headers.ts';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that the client sent if it is well-formed, else a new one. */
export function newRequestId(request: IncomingMessage): string {
  const sent = headerOf(request, 'x-request-id');
  return sent !== undefined && WELL_FORMED.test(sent) ? sent : randomUUID();
}
