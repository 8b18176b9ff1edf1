import { alone } from '../../core/shared/audience.ts';
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from '../../core/index.ts';
import { hasBody } from './body.ts';
import { accessEntry, stampHeaders, type AccessEntry } from './envelope.ts';
import { callerOf, countCaller } from './gate.ts';
import type { JsonRoute, Route, RouteRequest } from './route.ts';
import { compileRequest } from './validation.ts';

type AnyJson = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
type Asked = RouteRequest<unknown, unknown, unknown>;
type Tag = (url: string, asked: Asked) => Promise<string>;

/**
 * How a route's answers are told apart without being made; nothing for one that can not tell. The tag holds the form
 * of the answer, because another release may answer in another, and owner and address, because it is compared with
 * whatever the client has.
 */
export function tagOf(route: Route, core: Core): Tag | undefined {
  const etag = (route as AnyJson).etag?.bind(route);
  if (!etag) return undefined;
  const form = hash('sha1', JSON.stringify((route as AnyJson).reply.json), 'base64url');
  return async (url, asked) => {
    const state = `${form}\n${asked.caller.scope.ownerId}\n${url}\n${await etag(core, asked)}`;
    return `W/"${hash('sha1', state, 'base64url')}"`;
  };
}

export interface StandingOptions {
  readonly core: Core;
  readonly routes: readonly Route[];
  stopping(): boolean;
  onAccess(entry: AccessEntry): void;
}

/** Answers a request and says so; false where it has not touched it. */
export type Attempt = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The short way for a client that asks whether its answer still stands, at an address whose answers can be told apart
 * without being made: where it does, 304 goes out with the headers of every answer, and nothing else of the edge is
 * gone through, which would cost more than the question. Everything that is otherwise (refused, unknown, wrong, changed)
 * takes the long way, as if this were not here; only an answer is counted, so that no request is counted twice.
 */
export function standingAnswers(
  options: StandingOptions,
): (request: IncomingMessage) => Attempt | undefined {
  const attempts = new Map<string, Attempt>();
  for (const route of options.routes) {
    const tag = tagOf(route, options.core);
    const plain = route.method === 'get' && route.access === 'owner' && !route.creates;
    if (tag && plain && !route.path.includes(':'))
      attempts.set(route.path, attemptAt(route, tag, options));
  }
  return (request) => {
    const { method, url = '', headers } = request;
    if (headers['if-none-match'] === undefined || (method !== 'GET' && method !== 'HEAD'))
      return undefined;
    // A page of another origin needs headers of its own.
    if (headers.origin !== undefined || hasBody(request)) return undefined;
    const end = url.indexOf('?');
    return attempts.get(end === -1 ? url : url.slice(0, end));
  };
}

function attemptAt(route: Route, tag: Tag, options: StandingOptions): Attempt {
  const validate = compileRequest(route);
  return async (request, response) => {
    const from = performance.now();
    const { url = '' } = request;
    try {
      const caller = await callerOf(options.core, request);
      const checked = validate({ params: {}, url });
      if (!checked.ok) return false;
      const asked = {
        ...checked.values,
        caller,
        files: [],
        texts: [],
        audience: alone,
      } as unknown as Asked;
      const etag = await tag(url, asked);
      if (!stands(request.headers['if-none-match'] ?? '', etag)) return false;
      if ((await countCaller(options.core, response, caller))?.exceeded) return false;
      const requestId = stampHeaders(options, request, response);
      response.setHeader('ETag', etag);
      response.statusCode = 304;
      response.end();
      const { ownerId } = caller.scope;
      options.onAccess(accessEntry(request, 304, { requestId, route: route.path, from, ownerId }));
      return true;
    } catch (error) {
      // Whatever it was is met again on the long way, which knows how to tell it.
      if (!response.headersSent) return false;
      throw error;
    }
  };
}

/** RFC 9110 §13.1.2: any tag, or one of the list by the weak comparison. */
const stands = (condition: string, etag: string): boolean =>
  condition.trim() === '*' ||
  condition.split(',').some((each) => opaque(each.trim()) === opaque(etag));

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);
