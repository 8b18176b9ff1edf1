import { createHash } from 'node:crypto';
import { HttpError, TOO_LARGE } from '../pipeline/errors.ts';
import type { IncomingFile } from './multipart.ts';

/** A file that is read as text and not stored. */
export interface TextFile {
  /** As sent; '' for a body without a form. */
  readonly filename: string;
  readonly text: string;
  /** Of its bytes. */
  readonly sha256: string;
}

/** Reads a file of at most `maxBytes`. Bytes that are not UTF-8 are decoded as windows-1252, the most likely other encoding. */
export async function readTextFile(
  { filename, bytes }: IncomingFile,
  maxBytes: number,
): Promise<TextFile> {
  const chunks: Uint8Array[] = [];
  // In steps: hashing all of it at once would block the event loop.
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    if ((size += chunk.length) > maxBytes) throw new HttpError(TOO_LARGE);
    chunks.push(chunk);
    hash.update(chunk);
  }
  return { filename, text: decoded(Buffer.concat(chunks)), sha256: hash.digest('hex') };
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
