import compression from 'compression';
import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Core } from '../../core/index.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, failureOf, type Failure } from './failures.ts';
import { hasBody } from './body.ts';
import { handlerFor } from './handler.ts';
import { stampRequestId } from './request-id.ts';
import type { Method, Route } from './route.ts';

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

export interface ServerOptions {
  readonly core: Core;
  readonly routes: readonly Route[];
  /** Pages for people beside the route table, by path. */
  readonly pages: Readonly<Record<string, Page>>;
  /** How many reverse proxies stand in front. */
  readonly trustProxy: number;
  readonly corsOrigins: readonly string[];
  /** Compares every reply with its own schema: for tests. */
  readonly checkReplies: boolean;
  onAccess(entry: AccessEntry): void;
  onError(requestId: string, error: unknown): void;
  /** True once the process is about to end: every answer then closes its connection. */
  stopping(): boolean;
}

/** A page of the service's own, without scripts. */
export interface Page {
  html(): string;
  /** The Content-Security-Policy it is shown under. */
  readonly policy: string;
}

const NO_RENDERING = "default-src 'none'; frame-ancestors 'none'";

/** The whole HTTP edge over one core, made from the table of routes. */
export function createServer(options: ServerOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy);
  app.set('query parser', false);
  app.use(envelope(options));
  if (options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins));
  app.use(compression({ filter: compressible }));
  for (const [path, methods] of byPath(options.routes)) {
    const slot = app.route(path);
    for (const [method, route] of methods)
      slot[method](handlerFor(route, options.core, options.checkReplies));
    slot.all(refuseMethod([...methods.keys()]));
  }
  for (const [path, page] of Object.entries(options.pages))
    app
      .route(path)
      .get((_request, response) => {
        response.setHeader('Content-Security-Policy', page.policy);
        response.type('html').send(page.html());
      })
      .all(refuseMethod(['get']));
  app.use((_request, _response, next) => next(NOT_FOUND));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFailure(options, error, request, response),
  );
  return app;
}

/** What goes around every request: its id, the plain security headers, and the line in the access log. */
function envelope(options: ServerOptions) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const from = performance.now();
    const requestId = stampRequestId(request, response);
    response.locals['requestId'] = requestId;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', NO_RENDERING);
    response.setHeader('Cache-Control', 'private, no-cache');
    // A request's no-cache speaks to the caches on the way (RFC 9111 §5.2.1.4), and fetch sends it with every condition.
    // Express would take it for a wish never to hear 304.
    delete request.headers['cache-control'];
    if (options.stopping()) response.setHeader('Connection', 'close');
    response.once('close', () => {
      const ownerId = response.locals['ownerId'] as string | undefined;
      options.onAccess({
        requestId,
        method: request.method,
        route: (request.route as { path?: string } | undefined)?.path ?? 'none',
        status: response.statusCode,
        ms: Math.round((performance.now() - from) * 10) / 10,
        ...(ownerId !== undefined && { ownerId }),
      });
    });
    next();
  };
}

const crossOrigin = (origins: readonly string[]) =>
  cors({
    origin: [...origins],
    exposedHeaders: [
      'ETag',
      'Retry-After',
      'x-request-id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Content-Disposition',
    ],
    maxAge: 600,
  });

/** JSON and pages, when they are fetched; bytes of files go out as they are. */
const compressible = (request: Request, response: Response): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  /^(application\/json|text\/html)/.test(String(response.getHeader('Content-Type')));

function byPath(routes: readonly Route[]): Map<string, Map<Method, Route>> {
  const paths = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<Method, Route>();
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
}

function refuseMethod(methods: readonly Method[]) {
  const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method]));
  const header = allowed.map((method) => method.toUpperCase()).join(', ');
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Allow', header);
    next(METHOD_NOT_ALLOWED);
  };
}

/** What may have been said already of bytes that are not sent after all. */
const OF_THE_BYTES = [
  'Content-Type',
  'Content-Length',
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
];

function answerFailure(
  options: ServerOptions,
  error: unknown,
  request: Request,
  response: Response,
): void {
  // Whoever asked is gone: nobody is left to tell, and nothing of ours went wrong.
  if (response.destroyed || request.socket.destroyed) return;
  const failure = isFailure(error) ? error : (routingFailure(error) ?? failureOf(error));
  if (failure.cause !== undefined)
    options.onError(String(response.locals['requestId']), failure.cause);
  // Half an answer can only be cut off: the client must not take it for the whole.
  if (response.headersSent) return void response.destroy();
  for (const name of OF_THE_BYTES) response.removeHeader(name);
  response.setHeader('Content-Security-Policy', NO_RENDERING);
  if (failure.retryAfter !== undefined) response.setHeader('Retry-After', failure.retryAfter);
  if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (!request.complete && hasBody(request)) leaveUnread(request, response);
  response.status(failure.status).json(failure.body);
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'status' in error;

/** A path that does not decode fits no route. */
const routingFailure = (error: unknown): Failure | undefined =>
  error instanceof URIError ? NOT_FOUND : undefined;

const DRAIN_MS = 2_000;

/** A body that nobody wants is read a little further, so that the client gets to see the answer, and then cut off. */
function leaveUnread(request: Request, response: Response): void {
  response.setHeader('Connection', 'close');
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS);
  request.once('close', () => clearTimeout(timer));
}
