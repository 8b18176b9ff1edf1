import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERNAL } from '../pipeline/errors.ts';
import { createRouteTable } from './route-table.ts';
import { stampRequestId } from '../request/request-id.ts';
import type { Route } from '../route.ts';

/** The fields of a request that may be logged: no address, which may hold a secret, no header, query or body. */
export interface RequestSummary {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern; `none` where no route fits. */
  readonly route: string;
}

/** Summarizes a request by its route template. Called only after an error. */
export function requestSummaries(
  routes: readonly Pick<Route, 'path'>[],
): (response: ServerResponse) => RequestSummary {
  const find = createRouteTable(routes.map(({ path }) => [path, path]));
  return (response) => {
    const request = response.req;
    const [path = ''] = (request.url ?? '').split('?');
    return {
      requestId: requestIdOf(request, response),
      method: request.method ?? '',
      route:
        (request as { route?: { path?: string } }).route?.path ??
        find(path, () => true)?.value ??
        'none',
    };
  };
}

/** A sent response can not get a new header. Before that the id is set, so that the answer has the same one as the log. */
function requestIdOf(request: IncomingMessage, response: ServerResponse): string {
  if (!response.headersSent) return stampRequestId(request, response);
  return String(response.getHeader('x-request-id') ?? '');
}

/**
 * Answers 500 instead of an operation that threw an uncaught error. If the response has begun, its connection is closed: the
 * client must not mistake a part for the whole.
 */
export function answerForEscaped(response: ServerResponse): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  stampRequestId(response.req, response);
  response.statusCode = INTERNAL.status;
  const text = JSON.stringify(INTERNAL.body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.setHeader('Connection', 'close');
  response.end(text);
}
