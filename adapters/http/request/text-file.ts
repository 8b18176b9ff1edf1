import { createHash } from 'node:crypto';
import { HttpError, TOO_LARGE } from '../pipeline/errors.ts';
import type { IncomingFile } from './multipart.ts';

/** A file that is read as a text and not kept. */
export interface TextFile {
  readonly text: string;
  /** Of its bytes. */
  readonly sha256: string;
}

/** Reads a file of at most so many bytes. What is no UTF-8 is taken for the old western encoding it most likely is. */
export async function readTextFile({ bytes }: IncomingFile, mostBytes: number): Promise<TextFile> {
  const chunks: Uint8Array[] = [];
  // Along the way: all at once it would hold up everybody else.
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    if ((size += chunk.length) > mostBytes) throw new HttpError(TOO_LARGE);
    chunks.push(chunk);
    hash.update(chunk);
  }
  return { text: decoded(Buffer.concat(chunks)), sha256: hash.digest('hex') };
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
