import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Server } from '@tus/server';
import type { Caller } from '../../../core/shared/caller.ts';
import type { UploadView } from '../../../core/uploads/index.ts';
import {
  CLIENT_CLOSED_REQUEST,
  HttpError,
  TUS_VERSION_REQUIRED,
  UNKNOWN_TYPE,
} from '../pipeline/errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { hasBody } from '../request/body-reader.ts';
import { refuseCoding } from '../request/content-coding.ts';
import { headerOf } from '../request/headers.ts';
import { drainBody } from '../response/early-response.ts';
import { isUnread } from '../response/text.ts';
import { CHECKSUM_ALGORITHMS, parseChecksum } from './checksum.ts';
import { CallerUploads, EXTENSIONS } from './data-store.ts';
import { protocolError, toError } from './errors.ts';
import { UploadLocks } from './locks.ts';

export const TUS_PATH = '/v1/uploads/resumable';
const VERSION = '1.0.0';
const CONTENT_TYPE = 'application/offset+octet-stream';
/** What the library gets to see of a request. */
const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-concat',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
];

const locks = new UploadLocks();

/** The capabilities of the server, which need no account. */
export function describeTus({ response, context: { core } }: Exchange): void {
  response.setHeader('Tus-Version', VERSION);
  response.setHeader('Tus-Extension', EXTENSIONS.join(','));
  response.setHeader('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
  response.setHeader('Tus-Max-Size', core.uploads.maxUploadSize());
  response.statusCode = 204;
  response.end();
}

/**
 * Responds to a request of the tus protocol 1.0.0. The library implements the protocol; the uploads themselves, their
 * owner and their errors are those of the service. `id`: of an existing upload.
 */
export async function respondToTus(exchange: Exchange, caller: Caller, id?: string): Promise<void> {
  const { request, response, context } = exchange;
  requireProtocol(request, response);
  const { core, baseUrl } = context;
  const checksum = headerOf(request, 'upload-checksum');
  const store = new CallerUploads(core, {
    caller,
    metadata: headerOf(request, 'upload-metadata') ?? '',
    ...(checksum !== undefined && { checksum: parseChecksum(checksum) }),
  });
  const failure: { error?: unknown } = {};
  const server = new Server({
    path: TUS_PATH,
    datastore: store,
    locker: locks.of(caller.scope.ownerId),
    maxSize: core.uploads.maxUploadSize(),
    generateUrl: (_request, upload) => `${baseUrl.prefix}${TUS_PATH}/${upload.id}`,
    onResponseError: (_request, error) => {
      failure.error = error;
      return undefined;
    },
    onUploadFinish: async (_request, upload) => {
      // An empty file, which is complete as soon as it is created.
      if (store.view?.objectId === null) await store.write(Readable.from([]), upload.id, 0);
      return {};
    },
  });
  const end = waitForBody(exchange);
  let reply: Response;
  try {
    reply = await server.handleWeb(webRequest(request, id, () => context.stopping()));
  } finally {
    end();
  }
  describeUpload(exchange, store.view);
  if (response.destroyed) throw new HttpError(CLIENT_CLOSED_REQUEST);
  if ('error' in failure) throw toError(failure.error);
  if (reply.status >= 400) throw protocolError(reply.status, await reply.text());
  send(exchange, reply);
}

/** What the library leaves open, or would reject with another status than the protocol requests. */
function requireProtocol(request: IncomingMessage, response: Exchange['response']): void {
  refuseCoding(request);
  if (headerOf(request, 'tus-resumable') !== VERSION) {
    response.setHeader('Tus-Version', VERSION);
    throw new HttpError(TUS_VERSION_REQUIRED);
  }
  if (request.method === 'PATCH' && request.headers['content-type'] !== CONTENT_TYPE)
    throw new HttpError(UNKNOWN_TYPE);
}

/** While the client sends, the request does not count as work. Storing the end of a large file may take long. */
function waitForBody({ request, response, permit }: Exchange): () => void {
  if (!hasBody(request)) return () => undefined;
  const { socket } = request;
  const idleMs = socket.timeout ?? 0;
  const resume = permit.suspend();
  request.once('end', () => {
    resume();
    socket.setTimeout(0);
    response.once('prefinish', () => socket.setTimeout(idleMs));
  });
  return resume;
}

function webRequest(
  request: IncomingMessage,
  id: string | undefined,
  stopping: () => boolean,
): Request {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = headerOf(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  const url = `http://localhost${TUS_PATH}${id === undefined ? '' : `/${id}`}`;
  const method = request.method ?? '';
  const sends = (method === 'POST' || method === 'PATCH') && hasBody(request);
  const init: RequestInit = { method, headers, ...(sends && { body: bodyOf(request, stopping) }) };
  return new Request(url, sends ? { ...init, duplex: 'half' } : init);
}

/**
 * The body as it arrives. If the connection breaks, or the process is about to exit, it ends: the bytes that have arrived
 * are stored. Nothing is read before the library wants it, and nothing of what it does not want.
 */
function bodyOf(request: IncomingMessage, stopping: () => boolean): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (stopping()) return controller.close();
        try {
          const next = (await chunks.next()) as IteratorResult<Uint8Array, undefined>;
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          if (request.complete || !request.destroyed) throw error;
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

function describeUpload({ response }: Exchange, view: UploadView | undefined): void {
  if (!view) return;
  if (view.expiresAt !== null)
    response.setHeader('Upload-Expires', new Date(view.expiresAt).toUTCString());
  if (view.objectId === null) return;
  response.setHeader('Object-Id', view.objectId);
  if (view.dropId !== null) response.setHeader('Task-Id', view.dropId);
}

/** The headers that the protocol defines for responses. Those of CORS are the service's own. */
const SENT = ['location', 'upload-length', 'upload-metadata', 'upload-offset'];

function send(exchange: Exchange, { status, headers }: Response): void {
  const { request, response } = exchange;
  for (const name of SENT) {
    const value = headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.statusCode = status;
  if (status !== 204) response.setHeader('Content-Length', 0);
  if (isUnread(exchange)) {
    // The client may be sending for long, and has to know that it need not.
    response.setHeader('Connection', 'close').flushHeaders();
    drainBody(request, response);
  } else response.end();
}
