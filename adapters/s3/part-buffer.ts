import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A request body whose SHA-256 is known before it is sent, so that it can be signed. */
export class HashedBody extends Readable {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly #chunks: Iterator<Uint8Array, undefined>;

  constructor(chunks: readonly Uint8Array[], sha256: string) {
    super({ objectMode: false });
    this.sha256 = sha256;
    this.#chunks = chunks[Symbol.iterator]();
  }

  override _read(): void {
    const next = this.#chunks.next();
    this.push(next.done ? null : next.value);
  }
}

/** The body members of PutObject and UploadPart. */
export interface BodyInput {
  readonly Body?: HashedBody;
  readonly ContentLength: number;
  readonly ContentMD5: string;
}

/** A sealed part. It can be sent any number of times. */
export interface Payload {
  readonly md5: Buffer;
  input(): BodyInput;
}

/** The bytes of one part, held in memory until the server has confirmed them, and their hashes. */
export class PartBuffer {
  readonly #chunks: Uint8Array[] = [];
  readonly #sha256 = createHash('sha256');
  readonly #md5 = createHash('md5');
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Copies the bytes: a slice would keep the whole of a larger buffer in memory. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(Buffer.from(bytes));
    this.#sha256.update(bytes);
    this.#md5.update(bytes);
    this.#size += bytes.length;
  }

  /** Ends the part. Nothing may be added afterwards. */
  seal(): Payload {
    const [chunks, size] = [this.#chunks, this.#size];
    const sha256 = this.#sha256.digest('hex');
    const md5 = this.#md5.digest();
    return {
      md5,
      input: () => ({
        ...(size > 0 && { Body: new HashedBody(chunks, sha256) }),
        ContentLength: size,
        ContentMD5: md5.toString('base64'),
      }),
    };
  }
}
