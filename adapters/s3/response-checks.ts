import { SaxesParser } from 'saxes';
import { S3Error } from './errors.ts';

/** What the SDK signs and hands to the request handler, as far as it is used. */
export interface SignedRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ResponseHead {
  readonly status: number;
  readonly header: (name: string) => string;
}

const malformed = (message: string): S3Error => new S3Error('malformed', message);

/** Whether the response body is an object, which is streamed, and not a document or an acknowledgement. */
export const isDownload = ({ method, query }: SignedRequest): boolean =>
  method === 'GET' && expectedRoot({ method, query }) === undefined;

/** The root element of a successful response; undefined for an operation without a document. */
function expectedRoot({
  method,
  query,
}: Pick<SignedRequest, 'method' | 'query'>): string | undefined {
  const has = (name: string) => Object.hasOwn(query, name);
  if (method === 'GET' && has('list-type')) return 'ListBucketResult';
  if (method === 'GET' && has('uploads')) return 'ListMultipartUploadsResult';
  if (method === 'POST' && has('uploads')) return 'InitiateMultipartUploadResult';
  if (method === 'POST' && has('uploadId')) return 'CompleteMultipartUploadResult';
  return undefined;
}

/**
 * Checks a successful response before the SDK sees it. The SDK accepts a web page as a stored object or as an empty list.
 * Returns false for an error document with status 200, which S3 sends if an operation fails after the header.
 */
export function checkSuccess(
  request: SignedRequest,
  { status, header }: ResponseHead,
  text: string,
): boolean {
  if (/html/i.test(header('content-type')))
    throw malformed('a web page instead of an answer of S3');
  const expected = expectedRoot(request);
  if (expected !== undefined) {
    const root = rootOf(text);
    if (root === expected) return true;
    if (root === 'Error') return false;
    throw malformed(`no ${expected}`);
  }
  if (text !== '' || (request.method === 'PUT' && status !== 200))
    throw malformed('more than an acknowledgement');
  return true;
}

/** Requires an error document of S3. The SDK reports the page of a proxy with status 404 as a missing object. */
export function checkFailure(status: number, text: string): void {
  try {
    if (rootOf(text) === 'Error') return;
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
  }
  // Sent by something in front of the server, so a retry may succeed.
  throw new S3Error('malformed', `no answer of S3 with status ${status}`, status);
}

/** Documents of S3 have at most four levels. The parser of the SDK is recursive. */
const MAX_DEPTH = 16;

/** The root element of a well-formed document. The parser of the SDK is lenient; this one is not. */
export function rootOf(text: string): string {
  const parser = new SaxesParser({ xmlns: false });
  let root: string | undefined;
  let depth = 0;
  parser.on('error', () => {
    // The message of the parser quotes the text.
    throw malformed('not XML');
  });
  parser.on('opentag', ({ name }) => {
    root ??= name;
    if (++depth > MAX_DEPTH) throw malformed('not XML of S3');
  });
  parser.on('closetag', () => depth--);
  parser.write(text).close();
  return root ?? '';
}

/** The ETag: the MD5 of the bytes, or any other string. */
export function tagOf({ ETag = '' }: { readonly ETag?: string | undefined }): string {
  const tag = ETag.replace(/^W\/|"/g, '');
  if (tag === '') throw malformed('no ETag');
  return tag;
}

export interface StoredObject {
  readonly size: number;
  readonly tag: string;
}

interface ObjectHead {
  readonly ETag?: string | undefined;
  readonly ContentLength?: number | undefined;
}

export function objectOf(head: ObjectHead): StoredObject {
  const { ContentLength: size } = head;
  if (size === undefined || !Number.isSafeInteger(size) || size < 0)
    throw malformed('no Content-Length');
  return { size, tag: tagOf(head) };
}

interface DownloadHead extends ObjectHead {
  readonly ContentType?: string | undefined;
  readonly ContentRange?: string | undefined;
  readonly $metadata: { readonly httpStatusCode?: number | undefined };
}

/**
 * Checks that the bytes of a response are the requested ones. Returns the position of their end in the object, exclusive.
 * They must begin at `first` and must not end after `last`.
 */
export function checkRange(
  output: DownloadHead,
  first: number,
  requested: { readonly whole: boolean; readonly last: number | undefined },
): number {
  const { size } = objectOf(output);
  const { httpStatusCode: status } = output.$metadata;
  if (/html/i.test(output.ContentType ?? '')) throw malformed('a web page instead of bytes');
  if (requested.whole) {
    if (status !== 200) throw malformed(`status ${status} for a whole object`);
    return size;
  }
  const [, from, last] = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(output.ContentRange ?? '') ?? [];
  const isExact =
    status === 206 &&
    Number(from) === first &&
    Number(last) === first + size - 1 &&
    Number(last) <= (requested.last ?? Infinity);
  if (!isExact) throw malformed('another range than was asked for');
  return first + size;
}
