import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { ReadableContent } from '../../../core/objects/index.ts';
import { exactLength } from '../../../core/shared/expected-content.ts';
import type { StreamedFile } from '../../../core/shared/streamed-file.ts';
import { isFresh } from '../pipeline/conditional.ts';
import { HttpError, RANGE_NOT_SATISFIABLE } from '../pipeline/errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { peekFirst } from '../request/peek.ts';
import type { ContentOptions } from '../route.ts';
import { contentTypeOf, servedType } from './media-type.ts';

const SANDBOX = "sandbox; default-src 'none'";

/**
 * Sends the bytes of a stored file (RFC 9110 §14 ranges, §13 conditions). A browser neither sniffs them nor lets them act as
 * part of the service.
 */
export async function sendFile(
  exchange: Exchange,
  content: ReadableContent,
  { disposition }: ContentOptions,
): Promise<void> {
  const { request, response } = exchange;
  const { contentType, mayBeInline } = servedType(content.mime);
  const type = mayBeInline ? disposition : 'attachment';
  const etag = `"${content.sha256}"`;
  const lastModified = new Date(content.modifiedAt).toUTCString();
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Disposition', contentDisposition(content.filename, { type }));
  response.setHeader('Content-Security-Policy', SANDBOX);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', lastModified);
  // `no-transform` also keeps proxies from compressing the bytes, which ranges and the strong ETag rely on.
  const storing = content.isHidden ? 'no-store' : 'no-cache';
  response.setHeader('Cache-Control', `private, ${storing}, no-transform`);
  if (isFresh(request, etag, lastModified)) return sendNotModified(exchange);
  const mayBePart = request.method === 'GET' && request.headers.range !== undefined;
  const isWeak = mayBePart && (await content.mayDifferInParts?.()) === true;
  // RFC 9110 §13.1.5: `If-Range` needs a strong validator, and such a part has none. The whole file is sent and verified.
  const range =
    isWeak && request.headers['if-range'] !== undefined
      ? undefined
      : rangeOf(exchange, content.size, etag, lastModified);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${content.size}`);
    throw new HttpError(RANGE_NOT_SATISFIABLE);
  }
  const length = range ? range.last - range.first + 1 : content.size;
  response.setHeader('Content-Length', String(length));
  if (range) {
    response.statusCode = 206;
    // A weak ETag and no date: a client must not combine it with other parts (RFC 9110 §15.3.7.3).
    if (isWeak) {
      response.setHeader('ETag', `W/${etag}`);
      response.removeHeader('Last-Modified');
    }
    response.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${content.size}`);
  }
  if (request.method === 'HEAD' || length === 0) {
    response.end();
    return;
  }
  await send(exchange, exactLength(content.open(range), length), READ_AHEAD_BYTES);
}

const READ_AHEAD_BYTES = 65_536;
/** A generated file is made this far ahead of the client, so that generating and sending overlap. */
const GENERATE_AHEAD_BYTES = 524_288;

/**
 * Sends a file that is generated while it is sent. Its length is unknown, so a truncated response is one that was not
 * ended. HEAD generates nothing. A client that disconnects ends the generation.
 */
export async function sendGeneratedFile(
  exchange: Exchange,
  file: StreamedFile,
  mime: string,
): Promise<void> {
  const { request, response } = exchange;
  const etag = file.tag === undefined ? undefined : `W/"${file.tag}"`;
  response.setHeader('Content-Type', contentTypeOf(mime));
  response.setHeader(
    'Content-Disposition',
    contentDisposition(file.filename, { type: 'attachment' }),
  );
  response.setHeader('Content-Security-Policy', SANDBOX);
  response.setHeader(
    'Cache-Control',
    etag === undefined ? 'private, no-store, no-transform' : 'private, no-cache',
  );
  if (etag !== undefined) response.setHeader('ETag', etag);
  if (etag !== undefined && isFresh(request, etag)) return sendNotModified(exchange);
  if (request.method === 'HEAD') response.end();
  else await send(exchange, file.bytes(), GENERATE_AHEAD_BYTES);
}

function sendNotModified({ response }: Exchange): void {
  response.removeHeader('Content-Type');
  response.statusCode = 304;
  response.end();
}

/**
 * Reads the first bytes before the head is sent: missing or unavailable bytes can still be an error response. Later errors
 * can only truncate the response. While the client reads, the request does not count as work.
 */
async function send(
  { permit, response }: Exchange,
  bytes: AsyncIterable<Uint8Array>,
  highWaterMark: number,
): Promise<void> {
  const ready = (await peekFirst(bytes)) ?? [];
  permit.suspend();
  await pipeline(Readable.from(ready, { objectMode: false, highWaterMark }), response);
}

/** One range of bytes: from a first to an optional last one, or so many at the end. */
const RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The one range to send. The whole file is sent for several ranges, for another unit than bytes and for a malformed range,
 * as RFC 9110 §14.2 allows, and if `If-Range` does not hold any more.
 */
function rangeOf(
  { request: { method, headers } }: Exchange,
  size: number,
  etag: string,
  lastModified: string,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const { range: header } = headers;
  if (method !== 'GET' || header === undefined) return undefined;
  // RFC 9110 §13.1.5: a strong ETag that matches, or exactly the date that was sent.
  const condition = headers['if-range'] as string | undefined;
  if (condition !== undefined && condition !== (condition.startsWith('"') ? etag : lastModified))
    return undefined;
  const [range, from, to, suffix] = RANGE.exec(header) ?? [];
  if (range === undefined) return undefined;
  const first = from === undefined ? Math.max(size - Number(suffix), 0) : Number(from);
  const last = to ? Number(to) : Infinity;
  if (last < first) return undefined;
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}
