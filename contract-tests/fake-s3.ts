import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BucketLocation } from '../adapters/s3/bucket-url.ts';
import { wrongWith } from './s3-signature.ts';
import { startLocalServer, type Site } from './local-server.ts';

/**
 * Faults of a request. `error`, `busy`, `forbidden`: 500, 503 SlowDown, 403. `unknown`: a 404 of a proxy. `page`,
 * `nothing`: 200 with HTML, 200 with neither body nor ETag. `silent`: no response. `deaf`: the request body is not
 * read. `stalled`, `cut`: half of the response body, then silence or the end of the connection. `slow`: the body in
 * small pieces. `dropped`: the connection ends without an effect; `lost`: the connection ends after the effect.
 * `altered`: other bytes are stored, with their own ETag; `foreign`: ETags are not MD5. `lying`: other bytes are stored
 * under the ETag of the sent ones. `longer`, `shorter`, `swapped`: the response to a GET has bytes appended, its last
 * ones missing, or other ones of the same number, with matching headers. `unranged`: the range of a GET is ignored;
 * `overlong`: more than the range is sent, with a matching Content-Range. `odd`: an error whose code is an inherited
 * property of objects.
 */
export type Fault =
  | 'error'
  | 'busy'
  | 'forbidden'
  | 'page'
  | 'unknown'
  | 'nothing'
  | 'silent'
  | 'deaf'
  | 'stalled'
  | 'cut'
  | 'slow'
  | 'dropped'
  | 'lost'
  | 'altered'
  | 'foreign'
  | 'lying'
  | 'longer'
  | 'shorter'
  | 'swapped'
  | 'unranged'
  | 'overlong'
  | 'odd';

/** The requested operations, by their S3 names. */
export interface Asked {
  readonly operation: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

interface Stored {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly type: string;
  readonly modifiedAt: Date;
}

interface Begun {
  readonly key: string;
  readonly type: string;
  readonly at: Date;
  readonly parts: Map<number, Stored>;
}

/** How a server words its successes. Every habit is of a server, a gateway or a proxy in front of one. */
export interface Habits {
  /** Content-Length of a HEAD. */
  head: 'length' | 'none' | 'zero' | 'other' | 'not offered';
  /** A GET with its length, chunked, or ended by the end of the connection. */
  get: 'length' | 'chunked' | 'closed';
  put: 200 | 201 | 202 | 204;
  /** Body of the acknowledgement of an object, a part or a deletion. */
  body: string;
  remove: 200 | 202 | 204;
  tag: 'quoted' | 'weak' | 'unquoted' | 'none';
  /** The response to a completed multipart upload. */
  completed: 'document' | 'bare' | 'padded' | 'empty';
}

export const USUAL_HABITS: Habits = {
  head: 'length',
  get: 'length',
  put: 200,
  body: '',
  remove: 204,
  tag: 'quoted',
  completed: 'document',
};

/** An S3 server in this process with one bucket. It checks signatures and injects faults on request. */
export interface S3Service {
  readonly place: BucketLocation;
  readonly port: number;
  /** As BLOB_S3_URL. */
  readonly url: string;
  readonly objects: Map<string, Stored>;
  readonly uploads: Map<string, Begun>;
  readonly asked: Asked[];
  readonly habits: Habits;
  /** Bytes of requests received so far. */
  received(): number;
  /** From now on; none by default. */
  injectFault(fault?: (requested: Asked) => Fault | undefined): void;
  /** Stops listening and retains all data. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = 'papers';
const CREDENTIALS = {
  region: 'eu-west-9',
  accessKeyId: 'AKIDTEST',
  secretAccessKey: 'open/ses+ame@9',
};
const MIN_PART_BYTES = 5 * 2 ** 20;

/** `pageSize`: keys and uploads in one response. */
export async function openS3Service(pageSize = 1_000): Promise<S3Service> {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Begun>();
  const requested: Asked[] = [];
  const habits: Habits = { ...USUAL_HABITS };
  let received = 0;
  let faultOf: (asked: Asked) => Fault | undefined = () => undefined;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const what = read(request);
    requested.push(what);
    const fault = faultOf(what);
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (fault === 'deaf') return;
    request.on('data', (chunk: Buffer) => (chunks.push(chunk), (received += chunk.length)));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (fault === 'silent') return;
      if (fault === 'dropped') return void request.socket.destroy();
      const wrong = wrongWith(request, body, CREDENTIALS);
      const usual = wrong
        ? refuse(403, wrong)
        : (PLAIN[fault ?? ''] ?? respond({ objects, uploads, pageSize }, what, body, fault));
      if (fault === 'lost') return void request.socket.destroy();
      const isPlain = fault !== undefined && Object.hasOwn(PLAIN, fault);
      const reply = isPlain ? usual : inHabit(habits, what.operation, usual);
      send(response, request.method === 'HEAD', reply, fault);
    });
  };
  let site: Site = await startLocalServer(answer);
  const { port, origin } = site;
  const place = {
    ...CREDENTIALS,
    endpoint: origin,
    bucket: BUCKET,
    prefix: 'office/',
    pathStyle: true,
  };
  const secret = encodeURIComponent(CREDENTIALS.secretAccessKey);
  return {
    place,
    port,
    url: `http://${CREDENTIALS.accessKeyId}:${secret}@127.0.0.1:${port}/${BUCKET}/office?region=${CREDENTIALS.region}`,
    objects,
    uploads,
    asked: requested,
    habits,
    received: () => received,
    injectFault: (fault = () => undefined) => (faultOf = fault),
    goOffline: () => site.close(),
    goOnline: async () => {
      site = await startLocalServer(answer, '127.0.0.1', port);
    },
    close: () => site.close(),
  };
}

/** In the path or in the host name: if the bucket is not part of the path, it is part of the host. */
function read(request: IncomingMessage): Asked {
  const url = new URL(request.url ?? '/', 'http://any');
  const inHost = request.headers.host?.startsWith(`${BUCKET}.`) ?? false;
  const path = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const bucket = inHost ? BUCKET : path.shift();
  const key = path.join('/');
  const query = url.searchParams;
  const has = (name: string) => query.has(name);
  const operation =
    bucket !== BUCKET
      ? 'NoBucket'
      : key === ''
        ? (request.method === 'GET' && has('uploads') && 'ListMultipartUploads') ||
          (request.method === 'GET' && query.get('list-type') === '2' && 'ListObjectsV2') ||
          'Unknown'
        : ({
            GET: 'GetObject',
            HEAD: 'HeadObject',
            PUT: has('uploadId') ? 'UploadPart' : 'PutObject',
            DELETE: has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject',
            POST: has('uploads') ? 'CreateMultipartUpload' : 'CompleteMultipartUpload',
          }[request.method ?? ''] ?? 'Unknown');
  return { operation, key, query, headers: request.headers };
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Bytes announced; null for none, and -1 for none and the end of the connection. */
  readonly length?: number | null;
}

const XML = { 'content-type': 'application/xml' };
const xml = (text: string, status = 200): Reply => ({
  status,
  headers: XML,
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`),
});
const refuse = (status: number, code: string): Reply =>
  xml(`<Error><Code>${code}</Code><Message>No.</Message></Error>`, status);

/** Responses that are sent without any effect. */
const PLAIN: Readonly<Record<string, Reply>> = {
  error: refuse(500, 'InternalError'),
  busy: refuse(503, 'SlowDown'),
  forbidden: refuse(403, 'AccessDenied'),
  page: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<!doctype html><title>Sign in</title>'),
  },
  unknown: {
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from('404 page not found'),
  },
  nothing: { status: 200 },
  odd: refuse(400, 'constructor'),
};

interface Kept {
  readonly objects: Map<string, Stored>;
  readonly uploads: Map<string, Begun>;
  readonly pageSize: number;
}

function respond(kept: Kept, requested: Asked, body: Buffer, fault?: Fault): Reply {
  const { operation, key, query, headers } = requested;
  const uploadId = query.get('uploadId') ?? '';
  const upload = kept.uploads.get(uploadId);
  const object = kept.objects.get(key);
  const store = (bytes: Buffer, type: string, tag?: string): Stored => {
    const isOther = fault === 'altered' || fault === 'lying';
    const taken = isOther ? Buffer.from(bytes.map((byte) => byte ^ 1)) : bytes;
    const named = tag ?? md5(fault === 'lying' ? bytes : taken).toString('hex');
    const reported = fault === 'foreign' ? `${randomUUID()}-own` : named;
    return { bytes: taken, type, tag: reported, modifiedAt: new Date() };
  };
  const type = headers['content-type'] ?? 'binary/octet-stream';
  switch (operation) {
    case 'PutObject': {
      const stored = store(body, type);
      kept.objects.set(key, stored);
      return { status: 200, headers: { etag: `"${stored.tag}"` } };
    }
    case 'GetObject':
    case 'HeadObject':
      return object
        ? content(faulty(object, fault), fault === 'unranged' ? {} : rangeWith(headers, fault))
        : refuse(404, 'NoSuchKey');
    case 'DeleteObject':
      kept.objects.delete(key);
      return { status: 204 };
    case 'CreateMultipartUpload': {
      const id = randomUUID();
      kept.uploads.set(id, { key, type, at: new Date(), parts: new Map() });
      return xml(
        `<InitiateMultipartUploadResult><Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    case 'UploadPart': {
      if (!upload || upload.key !== key) return refuse(404, 'NoSuchUpload');
      const stored = store(body, upload.type);
      upload.parts.set(Number(query.get('partNumber')), stored);
      return { status: 200, headers: { etag: `"${stored.tag}"` } };
    }
    case 'CompleteMultipartUpload': {
      if (!upload || upload.key !== key) return refuse(404, 'NoSuchUpload');
      const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/g)].map(([, text = '']) => ({
        part: upload.parts.get(Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(text)?.[1])),
        tag: /<ETag>(?:"|&quot;)([^"&]+)(?:"|&quot;)<\/ETag>/.exec(text)?.[1],
      }));
      const parts = named.flatMap(({ part, tag }) => (part && part.tag === tag ? [part] : []));
      if (parts.length === 0 || parts.length < named.length) return refuse(400, 'InvalidPart');
      if (parts.slice(0, -1).some(({ bytes }) => bytes.length < MIN_PART_BYTES))
        return refuse(400, 'EntityTooSmall');
      const tag = `${md5(...parts.map((it) => md5(it.bytes))).toString('hex')}-${parts.length}`;
      const whole = store(Buffer.concat(parts.map(({ bytes }) => bytes)), upload.type, tag);
      kept.objects.set(key, whole);
      kept.uploads.delete(uploadId);
      return xml(
        `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"${whole.tag}"</ETag></CompleteMultipartUploadResult>`,
      );
    }
    case 'AbortMultipartUpload':
      return kept.uploads.delete(uploadId) ? { status: 204 } : refuse(404, 'NoSuchUpload');
    case 'ListObjectsV2':
      return listing(kept, query);
    case 'ListMultipartUploads':
      return uploadListing(kept, query);
    case 'NoBucket':
      return refuse(404, 'NoSuchBucket');
    default:
      return refuse(501, 'NotImplemented');
  }
}

const md5 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The object as modified by the fault. */
function faulty(object: Stored, fault?: Fault): Stored {
  const { bytes } = object;
  if (fault === 'longer') return { ...object, bytes: Buffer.concat([bytes, STOLEN]) };
  if (fault === 'shorter') return { ...object, bytes: bytes.subarray(0, bytes.length - 3) };
  if (fault === 'swapped') return { ...object, bytes: Buffer.from(bytes.map((byte) => byte ^ 1)) };
  return object;
}

/**
 * An injected response: the bytes that a malicious bucket would want to pass off as the next response on the
 * connection.
 */
export const STOLEN = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"stolen":true}',
);

const rangeWith = (headers: Asked['headers'], fault?: Fault): Asked['headers'] =>
  fault === 'overlong'
    ? { ...headers, range: headers.range?.replace(/\d*$/, (last) => String(Number(last) + 90)) }
    : headers;

function content({ bytes, tag, type, modifiedAt }: Stored, sent: Asked['headers']): Reply {
  if (sent['if-match'] !== undefined && sent['if-match'] !== `"${tag}"`)
    return refuse(412, 'PreconditionFailed');
  const headers = {
    etag: `"${tag}"`,
    'content-type': type,
    'last-modified': modifiedAt.toUTCString(),
  };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(sent.range ?? '') ?? [];
  if (from === undefined) return { status: 200, headers, body: bytes };
  const first = Number(from);
  const last = Math.min(to ? Number(to) : Infinity, bytes.length - 1);
  if (first > last) return refuse(416, 'InvalidRange');
  const range = { 'content-range': `bytes ${first}-${last}/${bytes.length}` };
  return { status: 206, headers: { ...headers, ...range }, body: bytes.subarray(first, last + 1) };
}

function listing({ objects, pageSize }: Kept, query: URLSearchParams): Reply {
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const most = Math.min(pageSize, Number(query.get('max-keys') ?? pageSize));
  const keys = [...objects.keys()].filter((it) => it.startsWith(prefix) && it > after).sort();
  const shown = keys.slice(0, most);
  const rows = shown.map((key) => {
    const { modifiedAt, bytes, tag } = objects.get(key)!;
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>&quot;${tag}&quot;</ETag><Size>${bytes.length}</Size><Owner><ID>x</ID></Owner></Contents>`;
  });
  const more = keys.length > shown.length;
  const token = Buffer.from(shown.at(-1) ?? '').toString('base64');
  return xml(
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><IsTruncated>${more}</IsTruncated>${
      more ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
    }${rows.join('')}</ListBucketResult>`,
  );
}

function uploadListing({ uploads, pageSize }: Kept, query: URLSearchParams): Reply {
  const prefix = query.get('prefix') ?? '';
  const from = `${query.get('key-marker') ?? ''} ${query.get('upload-id-marker') ?? ''}`;
  const all = [...uploads]
    .map(([id, { key, at }]) => ({ id, key, at }))
    .filter(({ id, key }) => key.startsWith(prefix) && `${key} ${id}` > from)
    .sort((a, b) => (`${a.key} ${a.id}` < `${b.key} ${b.id}` ? -1 : 1));
  const shown = all.slice(0, pageSize);
  const rows = shown.map(
    ({ id, key, at }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  );
  const last = shown.at(-1);
  const more = all.length > shown.length && last;
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>${more ? 'true' : 'false'}</IsTruncated>${
      more
        ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
        : ''
    }${rows.join('')}</ListMultipartUploadsResult>`,
  );
}

/** A success in the words of the server. */
function inHabit(habits: Habits, operation: string, reply: Reply): Reply {
  if (reply.status > 299) return reply;
  const { etag, ...others } = reply.headers ?? {};
  const headers = { ...others, ...(etag !== undefined && tagIn(habits, etag)) };
  const body = Buffer.from(habits.body);
  const length = reply.body?.length ?? 0;
  switch (operation) {
    case 'PutObject':
    case 'UploadPart':
      return { headers, status: habits.put, body };
    case 'DeleteObject':
    case 'AbortMultipartUpload':
      return { headers, status: habits.remove, body };
    case 'GetObject':
      return { ...reply, headers, ...LENGTHS[habits.get] };
    case 'HeadObject':
      if (habits.head === 'not offered') return { status: 405, headers: {} };
      return {
        ...reply,
        headers,
        length: { length, none: null, zero: 0, other: length + 7 }[habits.head],
      };
    case 'CompleteMultipartUpload':
      return { ...reply, headers, body: completionIn(habits, reply.body ?? Buffer.alloc(0)) };
    default:
      return reply;
  }
}

const LENGTHS = { length: {}, chunked: { length: null }, closed: { length: -1 } } as const;

function tagIn({ tag }: Habits, etag: string): Record<string, string> {
  if (tag === 'none') return {};
  const bare = etag.replaceAll('"', '');
  return { etag: { quoted: etag, weak: `W/${etag}`, unquoted: bare }[tag] };
}

function completionIn({ completed }: Habits, usual: Buffer): Buffer {
  if (completed === 'empty') return Buffer.alloc(0);
  if (completed === 'bare') return Buffer.from('<CompleteMultipartUploadResult/>');
  return completed === 'padded' ? Buffer.concat([Buffer.from('\n  \n'), usual]) : usual;
}

const DROPS = 12;
const DROP_MS = 25;

function send(response: ServerResponse, isHead: boolean, reply: Reply, fault?: Fault): void {
  const body = reply.body ?? Buffer.alloc(0);
  const { status, length = body.length } = reply;
  if (length === -1) response.useChunkedEncodingByDefault = false;
  const isAnnounced = status !== 204 && length !== null && length >= 0;
  response.writeHead(status, {
    ...reply.headers,
    ...(isAnnounced && { 'content-length': String(length) }),
    ...(length === -1 && { connection: 'close' }),
  });
  if (isHead || reply.status === 204) return void response.end();
  if (fault === 'stalled' || fault === 'cut') {
    response.write(body.subarray(0, body.length / 2), () => {
      if (fault === 'cut') response.destroy();
    });
    return;
  }
  if (fault === 'slow') return drip(response, body);
  response.end(body);
}

function drip(response: ServerResponse, body: Buffer, drop = 0): void {
  const at = (n: number) => Math.floor((n * body.length) / DROPS);
  response.write(body.subarray(at(drop), at(drop + 1)));
  if (drop + 1 === DROPS || response.destroyed) return void response.end();
  setTimeout(() => drip(response, body, drop + 1), DROP_MS);
}
