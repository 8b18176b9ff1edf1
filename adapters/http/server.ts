import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Core } from '../../core/index.ts';
import { crossOrigin } from './cross-origin.ts';
import { accessEntry, NO_RENDERING, stampHeaders, type AccessEntry } from './envelope.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, failureOf, type Failure } from './failures.ts';
import { hasBody } from './body.ts';
import { compressing } from './compressing.ts';
import { weakTag } from './etag.ts';
import { handlerFor } from './handler.ts';
import { tellFailure } from './live.ts';
import { siteOf } from './pages/site.ts';
import { plainReads, type Failed } from './reads.ts';
import type { Method, Route } from './route.ts';
import type { StaticText } from './static-text.ts';

export interface ServerOptions {
  readonly core: Core;
  readonly routes: readonly Route[];
  /** Pages for people beside the route table, and what pages load, by path. */
  readonly texts: Readonly<Record<string, StaticText>>;
  /** `PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
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

/** The whole HTTP edge over one core, made from the table of routes. */
export function createServer(options: ServerOptions): RequestListener {
  const paths = byPath(options.routes);
  const failures = new WeakMap<IncomingMessage, Failed>();
  const app = createApp(options, paths, failures);
  const readFor = plainReads({ ...options, paths });
  return (request, response) => {
    const read = readFor(request);
    if (!read) return void app(request, response);
    read(request, response).then(
      (end) => {
        if (end === 'answered') return;
        if (end) failures.set(request, end);
        app(request, response);
      },
      // Half an answer is all there is to be had: whoever waits for the rest is told so by the connection.
      (error: unknown) => {
        options.onError(String(response.getHeader('x-request-id') ?? ''), error);
        response.destroy();
      },
    );
  };
}

function createApp(
  options: ServerOptions,
  paths: ReadonlyMap<string, ReadonlyMap<Method, Route>>,
  failures: WeakMap<IncomingMessage, Failed>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy);
  app.set('query parser', false);
  app.set('etag', weakTag);
  // Whatever NODE_ENV says: express's own last resort would show the stack of an error otherwise.
  app.set('env', 'production');
  app.use(envelope(options, failures));
  if (options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins));
  const site = siteOf(options.publicUrl);
  for (const [path, methods] of paths) {
    const slot = app.route(path);
    for (const [method, route] of methods)
      slot[method](handlerFor(route, options.core, site, options.checkReplies));
    if (![...methods.values()].some(({ besides }) => besides))
      slot.all(refuseMethod([...methods.keys()]));
  }
  for (const [path, { type, text, policy, lasting }] of Object.entries(options.texts))
    app
      .route(path)
      .get((request, response) => {
        response.setHeader('Content-Security-Policy', policy);
        if (lasting) response.setHeader('Cache-Control', LASTING);
        compressing(request, response).type(type).send(text());
      })
      .all(refuseMethod(['get']));
  app.use((_request, _response, next) => next(NOT_FOUND));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFailure(options, error, request, response),
  );
  return app;
}

const LASTING = 'public, max-age=31536000, immutable';

/** What goes around every request: its id, the plain security headers, and the line in the access log. */
function envelope(options: ServerOptions, failures: WeakMap<IncomingMessage, Failed>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    // A read that has gone the short way up to here.
    const failed = failures.get(request);
    const { from = performance.now() } = failed ?? {};
    const requestId = stampHeaders(options, request, response);
    compareAlways(request);
    response.locals['requestId'] = requestId;
    const told = () => {
      const ownerId = response.locals['ownerId'] as string | undefined;
      const route = pathIn(response) ?? (request.route as { path?: string } | undefined)?.path;
      const { statusCode } = response;
      options.onAccess(
        accessEntry(request, statusCode, { requestId, route: route ?? 'none', from, ownerId }),
      );
    };
    // Whoever asked may be gone by now, and a response closes only once.
    const gone = response.destroyed;
    if (!gone) response.once('close', told);
    if (failed) {
      const { error, route, ownerId } = failed;
      Object.assign(response.locals, { route, ownerId, inErrors: route.inErrors });
      next(error);
    } else next();
    if (gone) told();
  };
}

const pathIn = ({ locals }: Response) => (locals['route'] as Route | undefined)?.path;

/**
 * `no-cache` speaks to the caches on the way; whoever sends a tag along still wants to hear that nothing changed
 * (RFC 9110 §13.1.2). fetch adds it by itself to every request with a tag, and express would then never compare.
 */
function compareAlways({ headers }: Request): void {
  if (headers['if-none-match'] !== undefined) delete headers['cache-control'];
}

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

/** What an operation may have said of a content before it failed; none of it fits the error. */
const DESCRIBING = [
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
  // Half an answer that is no stream of events can only be cut off: the client must not take it for the whole.
  if (response.headersSent) return void (tellFailure(response, failure) ?? response.destroy());
  for (const name of DESCRIBING) response.removeHeader(name);
  response.setHeader('Content-Security-Policy', NO_RENDERING);
  if (failure.retryAfter !== undefined) response.setHeader('Retry-After', failure.retryAfter);
  if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  const page = response.locals['failurePage'] as
    ((failure: Failure) => string | undefined) | undefined;
  const inErrors = response.locals['inErrors'] as object | undefined;
  const html = page?.(failure);
  response.status(failure.status).type(html === undefined ? 'json' : 'html');
  const text = html ?? JSON.stringify({ ...failure.body, ...inErrors });
  if (request.complete || !hasBody(request)) compressing(request, response).send(text);
  else answerUnread(request, response, text);
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'status' in error;

/** A path that does not decode fits no route. */
const routingFailure = (error: unknown): Failure | undefined =>
  error instanceof URIError ? NOT_FOUND : undefined;

const DRAIN_MS = 2_000;

/**
 * Answers a request whose body nobody wants. The answer goes out at once, but the connection is closed only when the
 * body has ended or a while has passed: closed earlier, a client that is still sending would see a broken connection
 * and never the answer.
 */
function answerUnread(request: Request, response: Response, text: string): void {
  response.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(text)) });
  response.write(text);
  request.unpipe();
  request.resume();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, DRAIN_MS);
  request.once('end', end).once('close', end);
}
