import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { CLIENT_CLOSED_REQUEST, HttpError, TOO_LARGE, UNKNOWN_CODING } from '../pipeline/errors.ts';

/** Files are read as they arrive and are not decoded: 415 for a body that was compressed on the way. */
export function refuseCoding(request: IncomingMessage): void {
  if (codingsOf(request).length > 0) throw unsupportedCoding();
}

/** The content codings of a body in the order in which they were applied (RFC 9110 §8.4); `identity` is none. */
const codingsOf = ({ headers }: IncomingMessage): readonly string[] =>
  (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');

/**
 * The decompressed bytes of a body. At most one coding is accepted: compressing twice only makes a decompression bomb
 * larger. More than `maxBytes` of compressed bytes are an error of the stream.
 */
export function decodedStream(request: IncomingMessage, maxBytes: number): Readable {
  const [coding, ...more] = codingsOf(request);
  if (coding === undefined) return request;
  const createDecoder = DECODERS.get(coding);
  if (!createDecoder || more.length > 0) throw unsupportedCoding();
  const decoder = createDecoder();
  // The reader of the stream handles its errors. An error after the reader has finished must not end the process.
  decoder.on('error', () => undefined);
  let sentBytes = 0;
  request.on('data', (chunk: Buffer) => {
    if ((sentBytes += chunk.length) > maxBytes) decoder.destroy(new HttpError(TOO_LARGE));
  });
  // An aborted request emits only `close`, and the decoder would wait for the rest.
  const abandon = () => {
    if (!request.complete) decoder.destroy(new HttpError(CLIENT_CLOSED_REQUEST));
  };
  request.once('error', abandon).once('close', abandon);
  return request.pipe(decoder);
}

const unsupportedCoding = () => new HttpError(UNKNOWN_CODING);

/** Decoders by coding name. A Map, because the sender chooses the name: `constructor` must select nothing. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);
