import accepts from 'accepts';
import { isFresh } from '../pipeline/conditional.ts';
import { HttpError, METHOD_NOT_ALLOWED, NOT_FOUND } from '../pipeline/errors.ts';
import type { Exchange, Handler } from '../pipeline/exchange.ts';
import { prefersHtml } from '../request/accept.ts';
import { sendError } from '../response/error.ts';
import { addVary } from '../response/common-headers.ts';
import { sendText } from '../response/text.ts';
import { APP_POLICY } from './app-policy.ts';
import { firstLinks } from './first-requests.ts';
import type { AppFile, AppFiles, AppPage } from './app-files.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';
/** Files are looked up beneath; every other path is one of the app's own and gets the shell. */
const ASSETS = '/assets/';
const OFFICE_FRAME = '/office-frame';

/** Finds the handler of a path of the app, `/` included. Undefined for all other paths. */
export function appRouter(app: AppFiles): (path: string) => Handler | undefined {
  const shell = handlerOf('/app', (exchange) => sendShell(exchange, app));
  const missing = handlerOf('/app', (exchange) => sendError(exchange, new HttpError(NOT_FOUND)));
  const { officeFrame } = app;
  const office = officeFrame
    ? handlerOf(`/app${OFFICE_FRAME}`, (exchange) => sendPage(exchange, officeFrame))
    : missing;
  const home: Handler = {
    template: '/',
    isDirect: false,
    handle: (exchange) => redirectBrowser(exchange, `${app.root}/`),
  };
  const handlers = new Map(
    [...app.files.values()].map((file) => [
      file.path,
      handlerOf(`/app${file.path}`, (exchange) => sendFile(exchange, file)),
    ]),
  );
  return (path) => {
    if (path === '/') return home;
    if (path === '/app') return shell;
    if (!path.startsWith('/app/')) return undefined;
    const below = path.slice('/app'.length);
    if (below === OFFICE_FRAME) return office;
    return handlers.get(below) ?? (below.startsWith(ASSETS) ? missing : shell);
  };
}

function handlerOf(template: string, send: (exchange: Exchange) => void | Promise<void>): Handler {
  const handle = (exchange: Exchange) => {
    const { method } = exchange.request;
    if (method === 'GET' || method === 'HEAD') return send(exchange);
    exchange.response.setHeader('Allow', 'GET, HEAD');
    return sendError(exchange, new HttpError(METHOD_NOT_ALLOWED));
  };
  return { template, isDirect: false, handle };
}

/** A person who opens the address of the service gets the app; programs get what they got before there was one. */
function redirectBrowser(exchange: Exchange, location: string): void | Promise<void> {
  const { request, response } = exchange;
  addVary(response, 'Accept');
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || !prefersHtml(request)) return sendError(exchange, new HttpError(NOT_FOUND));
  response.statusCode = 303;
  response.setHeader('Location', location).end();
}

function sendShell(exchange: Exchange, { shell, firstRequests, prefix }: AppFiles): void {
  const { request, response } = exchange;
  addVary(response, 'Accept-Language');
  response.setHeader('Link', firstLinks(firstRequests, prefix, request));
  sendPage(exchange, { html: shell, policy: APP_POLICY });
}

function sendPage(exchange: Exchange, { html, policy }: AppPage): void {
  const { response } = exchange;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', REVALIDATED);
  response.setHeader('Referrer-Policy', 'no-referrer');
  sendText(exchange, 200, 'html', html);
}

async function sendFile(exchange: Exchange, file: AppFile): Promise<void> {
  try {
    await sendBytes(exchange, file);
  } catch (error) {
    void sendError(exchange, error);
  } finally {
    exchange.finish();
  }
}

async function sendBytes(exchange: Exchange, file: AppFile): Promise<void> {
  const { request, response } = exchange;
  const coding = file.codings.length > 0 ? codingFor(exchange, file) : 'identity';
  const etag = `"${file.etag}${coding === 'identity' ? '' : `-${coding}`}"`;
  response.setHeader('Content-Security-Policy', file.policy);
  response.setHeader('Cache-Control', file.isImmutable ? IMMUTABLE : REVALIDATED);
  response.setHeader('ETag', etag);
  if (file.isCrossOrigin) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (file.codings.length > 0) addVary(response, 'Accept-Encoding');
  if (isFresh(request, etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const bytes = await file.read(coding);
  response.setHeader('Content-Type', file.type);
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Length', bytes.length);
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
}

/** Brotli first, since clients give all codings the same weight. */
function codingFor({ request }: Exchange, { codings }: AppFile): 'br' | 'gzip' | 'identity' {
  const accepted = accepts(request);
  return codings.find((coding) => accepted.encodings([coding]) === coding) ?? 'identity';
}
