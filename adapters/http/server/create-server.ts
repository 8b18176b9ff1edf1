import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { CorruptBlobError } from '../../../ports/blobs.ts';
import type { Core } from '../../../core/index.ts';
import { corsMiddleware } from './cors.ts';
import { answerEarly, sendFailure } from '../response/error.ts';
import { accessEntry, NO_RENDERING, stampHeaders, type AccessEntry } from './access-log.ts';
import {
  INTERNAL,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  toErrorReply,
  type ErrorReply,
} from '../pipeline/errors.ts';
import { hasBody } from '../request/body-reader.ts';
import { withCompression } from '../response/compression.ts';
import { weakEtag } from '../pipeline/conditional.ts';
import { handlerFor, type Operation } from '../pipeline/pipeline.ts';
import { tellFailure } from '../pipeline/streaming.ts';
import { parseBaseUrl } from '../pages/base-url.ts';
import { plainReads, type Failed } from './fast-path.ts';
import { validateRequestHead } from '../request/request-head.ts';
import type { Method, Route } from '../route.ts';
import { shedding } from './load-shedding.ts';
import type { StaticFile } from '../response/static-file.ts';
import { respondBeforeBodyRead } from '../response/early-response.ts';
import { enforceContentLength } from '../response/content-length.ts';
import { Workload, loopOf, type WorkloadLimits } from './admission.ts';

export interface ServerOptions {
  readonly core: Core;
  readonly routes: readonly Route[];
  /** Pages for people beside the route table, and what pages load, by path. */
  readonly texts: Readonly<Record<string, StaticFile>>;
  /** `PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  /** How many reverse proxies stand in front. */
  readonly trustProxy: number;
  readonly corsOrigins: readonly string[];
  /** What is taken on at once; the rest is told to come later. */
  readonly workload: WorkloadLimits;
  /** Runs it when the sockets of a turn of the event loop have been read. */
  readonly soon: (run: () => void) => void;
  /** Compares every reply with its own schema: for tests. */
  readonly checkReplies: boolean;
  onAccess(entry: AccessEntry): void;
  onError(requestId: string, error: unknown): void;
  /** Runs all work of a request, so that an uncaught error can be traced back to the request. */
  readonly runFor?: (response: ServerResponse, run: () => void) => void;
  /** True once the process is about to end: every answer then closes its connection. */
  stopping(): boolean;
}

/** The whole HTTP edge over one core, made from the table of routes. */
export function createServer(options: ServerOptions): RequestListener {
  const paths = byPath(options.routes);
  const failures = new WeakMap<IncomingMessage, Failed>();
  const app = createApp(options, paths, failures);
  const readFor = plainReads({ ...options, paths });
  const longWay: RequestListener = (request, response) => {
    app(request, response);
    // What nobody had to wait for; an operation settles by itself.
    if (response.writableEnded) Workload.settle(response);
  };
  const start = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = readFor(request);
    if (!read) return longWay(request, response);
    const end = await read(request, response);
    if (end === 'ended') return Workload.settle(response);
    if (end) failures.set(request, end);
    longWay(request, response);
  };
  // Nothing that goes wrong with one request may leave it open, or end the process.
  const attempt = (request: IncomingMessage, response: ServerResponse): void => {
    start(request, response).catch((error: unknown) => abandon(options, error, request, response));
  };
  const begin: RequestListener = (request, response) => {
    if (options.runFor) options.runFor(response, () => attempt(request, response));
    else attempt(request, response);
  };
  const workload = new Workload(options.workload, begin, shedding(options), loopOf(options.soon));
  const probes = new Set(options.routes.flatMap(({ probe, path }) => (probe ? [path] : [])));
  return (request, response) => {
    enforceContentLength(response, (error) =>
      options.onError(String(response.getHeader('x-request-id') ?? ''), error),
    );
    const fault = validateRequestHead(request);
    if (fault) {
      // Request smuggling: the sender and this server may disagree where the next request begins.
      response.setHeader('Connection', 'close');
      answerEarly(options, request, response, fault);
    } else if (probes.has(pathOf(request))) begin(request, response);
    else workload.take(request, response);
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
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
  app.set('etag', weakEtag);
  // Whatever NODE_ENV says: express's own last resort would show the stack of an error otherwise.
  app.set('env', 'production');
  app.use(envelope(options, failures));
  if (options.corsOrigins.length > 0) app.use(corsMiddleware(options.corsOrigins));
  const site = parseBaseUrl(options.publicUrl);
  for (const [path, methods] of paths) {
    const slot = app.route(path);
    for (const [method, route] of methods)
      slot[method](settling(handlerFor(route, options.core, site, options.checkReplies)));
    if (![...methods.values()].some(({ fallsThrough: besides }) => besides))
      slot.all(refuseMethod([...methods.keys()]));
  }
  for (const [path, { type, text, policy, immutable: lasting }] of Object.entries(options.texts))
    app
      .route(path)
      .get((request, response) => {
        response.setHeader('Content-Security-Policy', policy);
        response.setHeader('Cache-Control', lasting ? LASTING : REVALIDATED);
        withCompression(request, response).type(type).send(text());
      })
      .all(refuseMethod(['get']));
  app.use((_request, _response, next) => next(NOT_FOUND));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    try {
      answerFailure(options, error, request, response);
    } catch (thrown) {
      abandon(options, thrown, request, response);
    }
  });
  return app;
}

const settling =
  (handler: Operation): Operation =>
  async (request, response) => {
    try {
      await handler(request, response);
    } finally {
      Workload.settle(response);
    }
  };

const LASTING = 'public, max-age=31536000, immutable';
/** What is the same for everybody and may change with a release. */
const REVALIDATED = 'private, no-cache';

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
      Object.assign(response.locals, { route, ownerId, inErrors: route.errorBodyFields });
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
  Workload.settle(response);
  // Whoever asked is gone: nobody is left to tell, and nothing of ours went wrong.
  if (response.destroyed || request.socket.destroyed) {
    // The connection was ended because of it.
    if (error instanceof CorruptBlobError)
      options.onError(String(response.locals['requestId']), error);
    return;
  }
  const failure = isFailure(error) ? error : (routingFailure(error) ?? toErrorReply(error));
  if (failure.cause !== undefined)
    options.onError(String(response.locals['requestId']), failure.cause);
  // Half an answer that is no stream of events can only be cut off: the client must not take it for the whole.
  if (response.headersSent) {
    const sent = tellFailure(response, failure);
    if (!sent) response.destroy();
    sent?.catch((thrown: unknown) => abandon(options, thrown, request, response));
    return;
  }
  for (const name of DESCRIBING) response.removeHeader(name);
  response.setHeader('Content-Security-Policy', NO_RENDERING);
  if (failure.retryAfter !== undefined) response.setHeader('Retry-After', failure.retryAfter);
  if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  const page = response.locals['failurePage'] as
    ((failure: ErrorReply) => string | undefined) | undefined;
  const inErrors = response.locals['inErrors'] as object | undefined;
  const html = page?.(failure);
  response.status(failure.status).type(html === undefined ? 'json' : 'html');
  const text = html ?? JSON.stringify({ ...failure.body, ...inErrors });
  if (request.complete || !hasBody(request)) withCompression(request, response).send(text);
  else respondBeforeBodyRead(request, response, text);
}

/**
 * The last resort, for an error while a request was started or an error was sent. Sends a plain 500 if nothing has been
 * sent. Otherwise it closes the connection, so that the client notices the truncated response.
 */
function abandon(
  options: ServerOptions,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  Workload.settle(response);
  const known = response.getHeader('x-request-id');
  const requestId =
    known === undefined && !response.headersSent
      ? stampHeaders(options, request, response)
      : String(known ?? '');
  options.onError(requestId, error);
  if (response.headersSent || response.destroyed) return void response.destroy();
  for (const name of DESCRIBING) response.removeHeader(name);
  response.setHeader('Content-Security-Policy', NO_RENDERING);
  sendFailure(request, response, INTERNAL);
}

const isFailure = (error: unknown): error is ErrorReply =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'status' in error;

/** A path that does not decode fits no route. */
const routingFailure = (error: unknown): ErrorReply | undefined =>
  error instanceof URIError ? NOT_FOUND : undefined;
