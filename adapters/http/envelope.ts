import type { IncomingMessage, ServerResponse } from 'node:http';
import { stampRequestId } from './request-id.ts';

/** One line of the access log: what was asked and how it ended. Never a header, a query or a body. */
export interface AccessEntry {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, not the address, which may hold a secret. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly ownerId?: string;
}

/** What an answer shows as long as nothing says otherwise: nothing is to be rendered. */
export const NO_RENDERING = "default-src 'none'; frame-ancestors 'none'";

/** The headers of every answer. Answers with the id of the request. */
export function stampHeaders(
  options: { stopping(): boolean },
  request: IncomingMessage,
  response: ServerResponse,
): string {
  const requestId = stampRequestId(request, response);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', NO_RENDERING);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (options.stopping()) response.setHeader('Connection', 'close');
  return requestId;
}

export const accessEntry = (
  { method = '' }: IncomingMessage,
  status: number,
  told: {
    readonly requestId: string;
    readonly route: string;
    /** When it came, by the clock of the process. */
    readonly from: number;
    readonly ownerId: string | undefined;
  },
): AccessEntry => ({
  requestId: told.requestId,
  method,
  route: told.route,
  status,
  ms: Math.round((performance.now() - told.from) * 10) / 10,
  ...(told.ownerId !== undefined && { ownerId: told.ownerId }),
});
