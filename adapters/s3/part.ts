import { createHash } from 'node:crypto';
import type { Payload } from './client.ts';

/** Bytes on their way, kept until they have arrived, with what tells them apart. */
export class Part {
  readonly #chunks: Uint8Array[] = [];
  readonly #sha256 = createHash('sha256');
  readonly #md5 = createHash('md5');
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Copies: a slice of something large would keep all of it alive. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(Buffer.from(bytes));
    this.#sha256.update(bytes);
    this.#md5.update(bytes);
    this.#size += bytes.length;
  }

  /** What is sent, and its MD5. Nothing is added afterwards. */
  seal(): { readonly payload: Payload; readonly md5: Buffer } {
    const sha256 = this.#sha256.digest('hex');
    return {
      payload: { chunks: this.#chunks, size: this.#size, sha256 },
      md5: this.#md5.digest(),
    };
  }
}
