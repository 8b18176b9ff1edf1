import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidUpload } from './errors.ts';

/** The names of the protocol, which are those of node:crypto. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'];

/** The checksum of one request's bytes. */
export interface Checksum {
  /** Passes the bytes on. */
  of(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Whether they were the expected ones; called after the last of them. */
  matches(): boolean;
}

/** Parses `Upload-Checksum`: the name of the algorithm and the digest in base64 (400). */
export function parseChecksum(header: string): Checksum {
  const [, algorithm = '', digest = ''] = /^(\S+) ([\w+/]+={0,2})$/.exec(header.trim()) ?? [];
  if (!CHECKSUM_ALGORITHMS.includes(algorithm))
    throw invalidUpload(`Upload-Checksum needs one of ${CHECKSUM_ALGORITHMS.join(', ')}.`);
  const expected = Buffer.from(digest, 'base64');
  const hash = createHash(algorithm);
  return {
    async *of(bytes) {
      for await (const chunk of bytes) {
        hash.update(chunk);
        yield chunk;
      }
    },
    matches: () => {
      const found = hash.copy().digest();
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}
