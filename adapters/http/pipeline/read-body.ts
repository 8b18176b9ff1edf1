import type { IncomingMessage } from 'node:http';
import type { Core } from '../../../core/index.ts';
import { isAllowed } from '../../../core/identity/index.ts';
import type { ReceivedFile } from '../../../core/objects/index.ts';
import type { IncomingBody } from '../../../core/shares/index.ts';
import { bodyAsFile, formAsJson, hasBody, readBody } from '../request/body-reader.ts';
import {
  MAX_FILES,
  MultipartRejectedError,
  readMultipart,
  type IncomingFile,
  type MultipartBody,
} from '../request/multipart.ts';
import { readTextFile, type TextFile } from '../request/text-file.ts';
import { headerOf } from '../request/headers.ts';
import type { FilePart, JsonBody, Route } from '../route.ts';
import type { RawRequest } from '../validation/compile-request.ts';
import { textOfBody } from '../validation/json/json-body.ts';
import { actorOf, type Principal } from './principal.ts';
import type { Exchange } from './exchange.ts';
import { keyOf, type Actor } from './idempotency.ts';

/** The body of a request, as far as its route reads one. */
export interface RequestBody {
  readonly raw?: RawRequest['body'];
  /** Stored, without an owner: to be discarded unless the operation claims them. */
  readonly files: readonly ReceivedFile[];
  readonly texts: readonly TextFile[];
  /** The JSON as it was sent. */
  readonly bytes?: Buffer;
  readonly multipart?: MultipartBody<ReceivedFile | TextFile>;
  /** The JSON as text, for routes that read it verbatim. */
  readonly source: string;
  /** Set once the operation is responsible for the files. */
  filesClaimed?: boolean;
}

export const NO_BODY: RequestBody = Object.freeze({ files: [], texts: [], source: '' });

const DEFAULT_MAX_BYTES = 2 ** 20;
const NO_FIELDS: ReadonlyMap<string, string> = new Map();

/**
 * Reads the body that the route accepts (408, 413, 415). Files go to storage as they arrive. While the client sends, the
 * request does not count as work.
 */
export async function readRequestBody(
  exchange: Exchange,
  route: Route,
  principal: Principal,
): Promise<RequestBody> {
  const { body } = route;
  if (!body) return NO_BODY;
  exchange.hasLateBody = !exchange.request.complete;
  const resume = exchange.permit.suspend();
  try {
    return 'json' in body
      ? await readJson(exchange, body)
      : await readForm(exchange, route, body.files, principal, resume);
  } finally {
    resume();
  }
}

async function readJson(
  { request, format }: Exchange,
  { maxBytes = DEFAULT_MAX_BYTES, verbatim }: JsonBody<unknown>,
): Promise<RequestBody> {
  const contentType = request.headers['content-type'] ?? '';
  const bytes = hasBody(request) ? await readBody(request, maxBytes) : Buffer.alloc(0);
  const form = format === 'page' ? formAsJson(bytes, contentType) : undefined;
  const read = form?.bytes ?? bytes;
  return {
    ...NO_BODY,
    raw: form ?? { bytes, contentType },
    bytes: read,
    source: verbatim ? textOfBody(read) : '',
  };
}

async function readForm(
  exchange: Exchange,
  route: Route,
  part: FilePart,
  principal: Principal,
  resume: () => void,
): Promise<RequestBody> {
  const { request, context } = exchange;
  const { core } = context;
  const contentType = request.headers['content-type'] ?? '';
  const isRaw = isRawFile(contentType, part);
  if (!isRaw && !/^multipart\/form-data/i.test(contentType))
    return { ...NO_BODY, raw: { fields: NO_FIELDS, fileCount: 0 } };
  const actor = actorOf(principal);
  if (!actor) throw new Error(`${route.method} ${route.path} accepts files without an owner.`);
  // Storing the last bytes may take time without traffic on the connection. The client decides how long it waits.
  if (part.archive || part.maxTextBytes !== undefined)
    request.once('end', () => request.socket.setTimeout(0));
  else request.once('end', resume);
  const mayWrite =
    principal.kind !== 'owner' || route.access !== 'owner' || isAllowed(principal.caller, route);
  const upload =
    'maxFiles' in actor ? await core.shares.openUpload(actor, incoming(request)) : null;
  const receive =
    upload?.receive ?? (mayWrite ? receiverOf(exchange, part, principal, actor) : undefined);
  const readAll = async <File>(
    take: (file: IncomingFile) => Promise<File>,
  ): Promise<MultipartBody<File>> =>
    isRaw
      ? { fields: NO_FIELDS, files: [await take(bodyAsFile(request))] }
      : readMultipart(request, part.many ? MAX_FILES : 1, take, upload?.stopped);
  try {
    if (!receive) {
      // Read to its end and stored nowhere, so that a read-only token as well gets its validation errors first.
      const { fields, files } = await readAll(core.objects.drainFile);
      return { ...NO_BODY, raw: { fields, fileCount: files.length } };
    }
    const multipart = await readAll(receive);
    const { fields, files } = multipart;
    return {
      raw: { fields, fileCount: files.length },
      files: files.filter(isStored),
      texts: files.filter((file): file is TextFile => !isStored(file)),
      multipart,
      source: '',
    };
  } catch (error) {
    if (!(error instanceof MultipartRejectedError)) throw error;
    const received = error.files as readonly (ReceivedFile | TextFile)[];
    if (receive) await discardFiles(core, principal, received.filter(isStored));
    throw error.cause;
  } finally {
    upload?.close();
  }
}

const incoming = (request: IncomingMessage): IncomingBody => {
  const length = Number(request.headers['content-length'] ?? NaN);
  const { socket } = request;
  const before = socket.bytesRead;
  return {
    announced: Number.isSafeInteger(length) ? length : null,
    arrived: () => socket.bytesRead - before,
    isHeldUp: () => request.complete || request.isPaused(),
  };
};

/** Discards received files that no operation claims. */
export const discardFiles = (
  { objects, transfer }: Core,
  principal: Principal,
  files: readonly ReceivedFile[],
): Promise<void> =>
  principal.kind === 'owner'
    ? transfer.discardArchives(principal.caller, files)
    : objects.discardFiles(files);

type Receive = (file: IncomingFile) => Promise<ReceivedFile | TextFile>;

/** Handles each file of a body: reads it as text, accepts it as an archive, or stores it for its owner. */
function receiverOf(
  exchange: Exchange,
  { archive, maxTextBytes }: FilePart,
  principal: Principal,
  actor: Actor,
): Receive {
  const { core } = exchange.context;
  if (maxTextBytes !== undefined) return (file) => readTextFile(file, maxTextBytes);
  if (archive && principal.kind === 'owner') {
    const { caller } = principal;
    const length = Number(headerOf(exchange.request, 'content-length') ?? NaN);
    const size = Number.isSafeInteger(length) ? length : null;
    const key = keyOf(exchange, 'owner');
    return (file) => core.transfer.receiveArchive(caller, { ...file, size, key });
  }
  return (file) => core.objects.receiveFile(actor, file);
}

const isStored = (file: ReceivedFile | TextFile): file is ReceivedFile => 'blob' in file;

/** Whether the body is the file itself, without a form (RFC 9110 §8.3.1: parameters and case aside). */
const isRawFile = (contentType: string, { rawMediaType }: FilePart): boolean =>
  rawMediaType !== undefined && contentType.split(';')[0]?.trim().toLowerCase() === rawMediaType;
