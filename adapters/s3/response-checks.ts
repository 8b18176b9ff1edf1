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

const COMPLETED = 'CompleteMultipartUploadResult';

/** The root element of a successful response; undefined for an operation without a document. */
function expectedRoot({
  method,
  query,
}: Pick<SignedRequest, 'method' | 'query'>): string | undefined {
  const has = (name: string) => Object.hasOwn(query, name);
  if (method === 'GET' && has('list-type')) return 'ListBucketResult';
  if (method === 'GET' && has('uploads')) return 'ListMultipartUploadsResult';
  if (method === 'POST' && has('uploads')) return 'InitiateMultipartUploadResult';
  if (method === 'POST' && has('uploadId')) return COMPLETED;
  return undefined;
}

/**
 * Checks a successful response before the SDK sees it. The SDK accepts a web page as a stored object or as an empty list.
 * Returns false for an error document with status 200, which S3 sends if an operation fails after the header.
 */
export function checkSuccess(
  request: SignedRequest,
  { header }: Pick<ResponseHead, 'header'>,
  text: string,
): boolean {
  if (/html/i.test(header('content-type')) || WEB_PAGE.test(text))
    throw malformed('a web page instead of an answer of S3');
  const expected = expectedRoot(request);
  // Some servers complete an upload with an empty body. The caller looks for the object then.
  if (expected === undefined || (text === '' && expected === COMPLETED)) return !isError(text);
  const root = rootOf(text);
  if (root === expected) return true;
  if (root === 'Error') return false;
  throw malformed(`no ${expected}`);
}

/**
 * A response body for the SDK. It expects a document when an upload is complete, and none of its parsers accepts the blank
 * lines that keep a connection alive before it.
 */
export function documentOf(request: SignedRequest, text: string): Buffer {
  const isEmptyCompletion = text === '' && expectedRoot(request) === COMPLETED;
  return Buffer.from(isEmptyCompletion ? `<${COMPLETED}/>` : text.trimStart());
}

const WEB_PAGE = /^\s*<(?:!doctype\s+html|html)\b/i;

/**
 * Whether an acknowledgement is an error document. Servers acknowledge with any 2xx status and with any body; what they
 * have stored is verified afterwards.
 */
const isError = (text: string): boolean => /^\s*</.test(text) && rootOf(text) === 'Error';

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
  parser.write(text.trim()).close();
  return root ?? '';
}

interface Tagged {
  readonly ETag?: string | undefined;
}

/** The ETag: the MD5 of the bytes, or any other string. undefined without one. */
export function tagOf({ ETag = '' }: Tagged): string | undefined {
  const tag = ETag.replace(/^W\/|"/g, '');
  return tag === '' ? undefined : tag;
}

/**
 * The ETag for `If-Match`; undefined for a weak one, which matches nothing (RFC 9110 §13.1.1), and for one without quotes,
 * which a server may compare in either form.
 */
export const strongTagOf = ({ ETag = '' }: Tagged): string | undefined =>
  /^"[^"]+"$/.test(ETag) ? ETag : undefined;

export const noTag = (): S3Error => malformed('no ETag');

interface ObjectHead extends Tagged {
  readonly ContentLength?: number | undefined;
}

/** The announced size in bytes; undefined without one, as for a chunked response. */
export function sizeOf({ ContentLength: size }: ObjectHead): number | undefined {
  if (size !== undefined && (!Number.isSafeInteger(size) || size < 0))
    throw malformed('an invalid Content-Length');
  return size;
}

interface DownloadHead extends ObjectHead {
  readonly ContentType?: string | undefined;
  readonly ContentRange?: string | undefined;
  readonly $metadata: { readonly httpStatusCode?: number | undefined };
}

/**
 * Checks that the bytes of a response are the requested ones. Returns the position of their end in the object, exclusive;
 * undefined for a whole object of unknown length. They must begin at `first` and must not end after `last`.
 */
export function checkRange(
  output: DownloadHead,
  first: number,
  requested: { readonly whole: boolean; readonly last: number | undefined },
): number | undefined {
  const size = sizeOf(output);
  const { httpStatusCode: status } = output.$metadata;
  if (/html/i.test(output.ContentType ?? '')) throw malformed('a web page instead of bytes');
  if (requested.whole) {
    if (status !== 200) throw malformed(`status ${status} for a whole object`);
    // Anything may answer with nothing.
    if (size === 0 && tagOf(output) === undefined) throw noTag();
    return size;
  }
  const [, from, last] = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(output.ContentRange ?? '') ?? [];
  const end = Number(last) + 1;
  const isExact =
    status === 206 &&
    Number(from) === first &&
    end > first &&
    end === first + (size ?? end - first) &&
    end <= (requested.last ?? Infinity) + 1;
  if (!isExact) throw malformed('another range than was asked for');
  return end;
}
