import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { HttpError, RANGE_NOT_SATISFIABLE } from '../pipeline/errors.ts';
import { peekFirst } from '../request/peek.ts';
import { servedType } from './media-type.ts';
import type { ReadableContent } from '../../../core/objects/index.ts';
import { exactLength } from '../../../core/shared/expected-content.ts';
import type { StreamedFile } from '../../../core/shared/streamed-file.ts';
import { Workload } from '../server/admission.ts';

export interface ContentOptions {
  readonly disposition: 'inline' | 'attachment';
}

/**
 * Answers with the bytes of a file (RFC 9110 §14 ranges, §13 conditions). Whatever they hold, a browser neither
 * sniffs them nor lets them act as part of the service.
 */
export async function sendContent(
  request: Request,
  response: Response,
  content: ReadableContent,
  { disposition }: ContentOptions,
): Promise<void> {
  const { contentType, mayBeInline } = servedType(content.mime);
  const shown = mayBeInline ? disposition : 'attachment';
  response.set({
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(content.filename, { type: shown }),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: `"${content.sha256}"`,
    'Last-Modified': new Date(content.modifiedAt).toUTCString(),
    // Also keeps the bytes from being compressed on the way, which ranges and the strong tag rely on.
    'Cache-Control': `private, ${content.isHidden ? 'no-store' : 'no-cache'}, no-transform`,
  });
  if (request.fresh) {
    response.removeHeader('Content-Type');
    response.status(304).end();
    return;
  }
  const range = rangeOf(request, response, content.size);
  if (range === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${content.size}`);
    throw new HttpError(RANGE_NOT_SATISFIABLE);
  }
  const length = range ? range.last - range.first + 1 : content.size;
  response.set('Content-Length', String(length));
  if (range) {
    response.status(206);
    response.set('Content-Range', `bytes ${range.first}-${range.last}/${content.size}`);
  }
  if (request.method === 'HEAD' || length === 0) {
    response.end();
    return;
  }
  await send(exactLength(content.open(range), length), response, 65_536);
}

/**
 * Answers with a file that is made while it goes out. Nobody knows its length, so an answer that is cut off is one that
 * was not ended; HEAD makes nothing. Whoever goes away ends the making.
 */
export async function sendStream(
  request: Request,
  response: Response,
  file: StreamedFile,
  mime: string,
): Promise<void> {
  response.set({
    'Content-Type': mime,
    'Content-Disposition': contentDisposition(file.filename, { type: 'attachment' }),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control':
      file.tag === undefined ? 'private, no-store, no-transform' : 'private, no-cache',
  });
  if (file.tag !== undefined) response.setHeader('ETag', `W/"${file.tag}"`);
  if (file.tag !== undefined && request.fresh) {
    response.removeHeader('Content-Type');
    response.status(304).end();
  } else if (request.method === 'HEAD') response.end();
  else await send(file.bytes(), response, AHEAD_BYTES);
}

/** Made ahead of the client, so that making and sending go on at the same time. */
const AHEAD_BYTES = 524_288;

/**
 * With the first of them at hand: bytes that are missing or out of reach are an error that can still be told. Once an
 * answer has begun, all that is left is to cut it off.
 */
async function send(
  bytes: AsyncIterable<Uint8Array>,
  response: Response,
  highWaterMark: number,
): Promise<void> {
  const ready = (await peekFirst(bytes)) ?? [];
  Workload.aside(response);
  await pipeline(Readable.from(ready, { objectMode: false, highWaterMark }), response);
}

/** One range of bytes: from a first to an optional last one, or so many at the end. */
const RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The one range to answer with. Several ranges, a unit other than bytes and a range that is no range are answered
 * with the whole file, as RFC 9110 §14.2 allows; so is one whose If-Range no longer holds.
 */
function rangeOf(
  request: Request,
  response: Response,
  size: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const header = request.get('range');
  if (request.method !== 'GET' || header === undefined || !ifRangeHolds(request, response))
    return undefined;
  const [range, from, to, suffix] = RANGE.exec(header) ?? [];
  if (range === undefined) return undefined;
  const first = from === undefined ? Math.max(size - Number(suffix), 0) : Number(from);
  const last = to ? Number(to) : Infinity;
  if (last < first) return undefined;
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}

/** RFC 9110 §13.1.5: a strong tag that matches, or exactly the date we gave. */
function ifRangeHolds(request: Request, response: Response): boolean {
  const condition = request.get('if-range');
  if (condition === undefined) return true;
  return condition.startsWith('"')
    ? condition === response.get('ETag')
    : condition === response.get('Last-Modified');
}
