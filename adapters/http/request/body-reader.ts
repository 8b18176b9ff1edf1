import type { IncomingMessage } from 'node:http';
import { decodedStream, refuseCoding } from './content-coding.ts';
import { CLIENT_CLOSED_REQUEST, HttpError, TIMED_OUT, TOO_LARGE } from '../pipeline/errors.ts';
import type { IncomingFile } from './multipart.ts';

const BODY_TIMEOUT_MS = 30_000;

/** Whether the request announces a body at all (RFC 9112 §6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The decompressed bytes of a request body. Both the bytes sent and the decompressed bytes stay under the limit, so that a
 * decompression bomb is as harmless as a long body.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new HttpError(TOO_LARGE);
  const source = decodedStream(request, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError(TIMED_OUT)), BODY_TIMEOUT_MS);
  });
  const all = async (): Promise<Buffer> => {
    try {
      // Leaving the loop would destroy the stream and with it the connection: no error response could be sent.
      for await (const chunk of source.iterator({ destroyOnReturn: false })) {
        size += (chunk as Buffer).length;
        if (size > maxBytes) throw new HttpError(TOO_LARGE);
        chunks.push(chunk as Buffer);
      }
    } catch (error) {
      if (error instanceof HttpError || source === request) throw error;
      // The client has disconnected: a partial body must not be validated as if it were complete.
      if (!request.complete && request.destroyed) throw new HttpError(CLIENT_CLOSED_REQUEST);
      // Bytes that do not decompress are not JSON either, and fail validation as such.
      return Buffer.from([0xff]);
    }
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  };
  try {
    return await Promise.race([all(), late]);
  } finally {
    clearTimeout(timer);
    if (source !== request) source.destroy();
  }
}

export const FORM = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

/** A URL-encoded form (URL standard, §5.1) as the JSON of its fields; undefined for other content types. */
export function formAsJson(
  bytes: Buffer,
  contentType: string,
): { readonly bytes: Buffer; readonly contentType: string } | undefined {
  if (!FORM.test(contentType)) return undefined;
  const fields = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  return { bytes: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' };
}

/** A body that is one file, straight from the socket, so that memory does not grow with its size. */
export function bodyAsFile(request: IncomingMessage): IncomingFile {
  refuseCoding(request);
  // Leaving the loop would destroy the stream and with it the connection: no error response could be sent.
  return { filename: '', bytes: request.iterator({ destroyOnReturn: false }) };
}
