import { appRouter } from '../app/app-handler.ts';
import type { AppFiles } from '../app/app-files.ts';
import { HttpError, METHOD_NOT_ALLOWED, NOT_FOUND } from '../pipeline/errors.ts';
import {
  NO_PARAMS,
  type Exchange,
  type Handler,
  type Params,
  type ServerContext,
} from '../pipeline/exchange.ts';
import { createPipeline, isDirect } from '../pipeline/pipeline.ts';
import { sendError } from '../response/error.ts';
import type { StaticFile } from '../response/static-file.ts';
import { sendText } from '../response/text.ts';
import type { Route } from '../route.ts';
import { createRouteTable } from './route-table.ts';

export interface RoutedRequest {
  readonly handler: Handler;
  readonly params: Params;
}

/** Finds the handler of a route or static file, else one that responds with 405 or 404. */
export type Router = (method: string, path: string) => RoutedRequest;

/** A path with the handlers of its methods. */
interface Entry {
  readonly handlers: ReadonlyMap<string, Handler>;
  /** For all other methods; undefined if they are looked up among later, wider paths. */
  readonly otherwise: Handler | undefined;
}

/** The only router of the service: Express mounts one handler, which calls what was found here. */
export function createRouter(
  routes: readonly Route[],
  staticFiles: Readonly<Record<string, StaticFile>>,
  app: AppFiles | undefined,
  context: ServerContext,
): Router {
  const entries = [
    ...[...Map.groupBy(routes, ({ path }) => path)].map(
      ([path, all]) => [path, routeEntry(path, all, context)] as const,
    ),
    ...Object.entries(staticFiles).map(([path, file]) => [path, fileEntry(path, file)] as const),
  ];
  const find = createRouteTable<Entry>(
    entries,
    ({ handlers, otherwise }, method) => otherwise !== undefined || handlers.has(method),
  );
  const findApp = app ? appRouter(app) : () => undefined;
  return (method, path) => {
    const match = find(path, method);
    const found = match ? undefined : findApp(path);
    if (found) return { handler: found, params: NO_PARAMS };
    const handler = match && (match.value.handlers.get(method) ?? match.value.otherwise);
    return handler ? { handler, params: match.params } : NOT_ROUTED;
  };
}

function routeEntry(path: string, routes: readonly Route[], context: ServerContext): Entry {
  const handlers = routes.map((route): [string, Handler] => [
    route.method.toUpperCase(),
    { template: path, route, isDirect: isDirect(route), handle: createPipeline(route, context) },
  ]);
  return entryOf(
    path,
    handlers,
    routes.some(({ fallsThrough }) => fallsThrough),
  );
}

function fileEntry(path: string, file: StaticFile): Entry {
  const handle = (exchange: Exchange) => sendStaticFile(exchange, file);
  return entryOf(path, [['GET', { template: path, isDirect: false, handle }]], false);
}

function entryOf(
  template: string,
  handlers: readonly (readonly [method: string, handler: Handler])[],
  fallsThrough: boolean,
): Entry {
  const all = handlers.flatMap(([method, handler]) =>
    method === 'GET'
      ? [[method, handler] as const, ['HEAD', handler] as const]
      : [[method, handler] as const],
  );
  const allow = all.map(([method]) => method).join(', ');
  const handle = (exchange: Exchange) => {
    exchange.response.setHeader('Allow', allow);
    return sendError(exchange, new HttpError(METHOD_NOT_ALLOWED));
  };
  const otherwise = fallsThrough ? undefined : { template, isDirect: false, handle };
  return { handlers: new Map(all), otherwise };
}

const NOT_ROUTED: RoutedRequest = {
  params: NO_PARAMS,
  handler: {
    template: 'none',
    isDirect: false,
    handle: (exchange) => sendError(exchange, new HttpError(NOT_FOUND)),
  },
};

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The same for all clients, but it may change with a release. */
const REVALIDATED = 'private, no-cache';

function sendStaticFile(exchange: Exchange, file: StaticFile): void {
  const { response } = exchange;
  response.setHeader('Content-Security-Policy', file.policy);
  response.setHeader('Cache-Control', file.immutable ? IMMUTABLE : REVALIDATED);
  sendText(exchange, 200, file.type, file.text());
}
