import type { IncomingMessage, RequestListener } from 'node:http';
import type { Core } from '../../../core/index.ts';
import type { AppFiles } from '../app/app-files.ts';
import { Exchange, type ServerContext } from '../pipeline/exchange.ts';
import { parseBaseUrl } from '../pages/base-url.ts';
import { hasBody } from '../request/body-reader.ts';
import { ReplacedSecrets } from '../request/replaced-secrets.ts';
import { validateRequestHead } from '../request/request-head.ts';
import { enforceContentLength } from '../response/content-length.ts';
import { abandon, sendEarlyError } from '../response/error.ts';
import type { StaticFile } from '../response/static-file.ts';
import type { Route } from '../route.ts';
import type { AccessEntry } from './access-log.ts';
import { AdmissionController, loopOf, type AdmissionLimits } from './admission.ts';
import { createExpressApp } from './express-app.ts';
import { createShedResponder } from './load-shedding.ts';
import { createRouter } from './router.ts';

export interface ServerOptions {
  readonly core: Core;
  readonly routes: readonly Route[];
  /** Pages that are the same for all clients, and what pages load, by path. */
  readonly staticFiles: Readonly<Record<string, StaticFile>>;
  /** The owner's app; undefined if it has not been built. */
  readonly app?: AppFiles;
  /** `PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  /** Number of reverse proxies in front of the service. */
  readonly trustProxy: number;
  readonly corsOrigins: readonly string[];
  /** Requests beyond these limits get 503. */
  readonly admission: AdmissionLimits;
  /** Runs a function at the end of the event-loop tick, when its sockets have been read. */
  readonly runAtTickEnd: (run: () => void) => void;
  /** Compares every reply with its schema: for tests. */
  readonly checkReplies: boolean;
  onAccess(entry: AccessEntry): void;
  onError(requestId: string, error: unknown): void;
  /** Runs all work of a request, so that an uncaught error can be traced back to the request. */
  readonly runFor?: (exchange: Exchange, run: (exchange: Exchange) => void) => void;
  /** True once the process is about to exit: every response then closes its connection. */
  stopping(): boolean;
}

/** The HTTP server of a core, made from the route table. */
export function createServer(options: ServerOptions): RequestListener {
  const context: ServerContext = {
    core: options.core,
    baseUrl: parseBaseUrl(options.publicUrl),
    trustProxy: options.trustProxy,
    variesByOrigin: options.corsOrigins.length > 0,
    replacedSecrets: new ReplacedSecrets(),
    checkReplies: options.checkReplies,
    stopping: () => options.stopping(),
    onAccess: (entry) => options.onAccess(entry),
    onError: (requestId, error) => options.onError(requestId, error),
  };
  const route = createRouter(options.routes, options.staticFiles, options.app, context);
  const app = createExpressApp(options.corsOrigins);
  // No error of one request may leave it open, or end the process.
  const respond = (exchange: Exchange): void => {
    try {
      exchange.startedAt = performance.now();
      const { handler, params } = route(exchange.request.method ?? '', exchange.path);
      exchange.handler = handler;
      exchange.params = params;
      if (handler.isDirect && isDirect(exchange.request)) void handler.handle(exchange);
      else app(exchange.request, exchange.response);
    } catch (error) {
      abandon(exchange, error);
    }
  };
  const { runFor } = options;
  const start = runFor ? (exchange: Exchange) => runFor(exchange, respond) : respond;
  const shed = createShedResponder(options.corsOrigins);
  const admission = new AdmissionController(
    options.admission,
    start,
    shed,
    loopOf(options.runAtTickEnd),
  );
  const probes = new Set(options.routes.flatMap(({ probe, path }) => (probe ? [path] : [])));
  return (request, response) => {
    const exchange = new Exchange(request, response, context);
    enforceContentLength(response);
    const error = validateRequestHead(request);
    if (error) {
      // Request smuggling: the sender and this server may disagree where the next request begins.
      response.setHeader('Connection', 'close');
      sendEarlyError(exchange, error);
    } else if (probes.has(exchange.path)) start(exchange);
    else admission.submit(exchange);
  };
}

/** A page of another origin needs CORS headers, and a body has to be handled even where none is read. */
const isDirect = (request: IncomingMessage): boolean =>
  request.headers.origin === undefined && !hasBody(request);
