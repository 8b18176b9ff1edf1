import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { broken } from './refusals.ts';

/** What may be asked for: codings that `readBody` undoes. */
export const CODINGS = 'gzip, br';

interface BodyBounds {
  readonly maxBytes: number;
  /** Thrown when there is more, on the wire or unpacked. */
  readonly tooLarge: () => Error;
  readonly signal: AbortSignal;
}

/** All bytes of a body, unpacked. No more than one chunk past the bound is ever held. */
export async function readBody(
  body: Readable,
  coding: string,
  { maxBytes, tooLarge, signal }: BodyBounds,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // Counted before unpacking as well: a packed stream may go on for ever and hold nothing.
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
