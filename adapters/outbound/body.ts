import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { broken } from './fetch-errors.ts';

/** Value of Accept-Encoding: the codings that `readBody` decodes. */
export const CODINGS = 'gzip, br';

interface BodyBounds {
  readonly maxBytes: number;
  /** Thrown if there are more bytes, encoded or decoded. */
  readonly tooLarge: () => Error;
  readonly signal: AbortSignal;
}

/** The decoded body. At most one chunk more than the limit is held in memory. */
export async function readBody(
  body: Readable,
  coding: string,
  { maxBytes, tooLarge, signal }: BodyBounds,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // Counted before decoding as well: an encoded stream may be endless and decode to nothing.
  const bounded = async function* (source: AsyncIterable<Uint8Array>) {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  const unpacking = decoderOf(coding);
  if (unpacking) await pipeline(body, bounded, unpacking, bounded, collect, { signal });
  else await pipeline(body, bounded, collect, { signal });
  return Buffer.concat(chunks);
}

function decoderOf(coding: string) {
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw broken();
  }
}
