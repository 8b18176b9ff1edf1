import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import type { ArchiveBytes } from '../../ports/archives.ts';

const WINDOW_BYTES = 262_144;

/**
 * Random access to an archive with a read cache. A directory is read in pieces of fifty bytes and small files are
 * adjacent, so one cached window serves thousands of reads.
 */
export class Window extends RandomAccessReader {
  readonly #bytes: ArchiveBytes;
  #start = 0;
  #held: Buffer = Buffer.alloc(0);
  /** The source's own error; yauzl would report it as an error of the file. */
  failure: { readonly error: unknown } | undefined;

  constructor(bytes: ArchiveBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#fetch(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        done(bytes.length < length ? new Error('unexpected EOF') : null);
      },
      (error: unknown) => done(error as Error),
    );
  }

  /** `end` is exclusive. */
  async *range(start: number, end: number): AsyncIterable<Uint8Array> {
    if (end <= start) return;
    if (this.#holds(start, end - start)) {
      yield this.#cut(start, end - start);
      return;
    }
    try {
      yield* this.#bytes.read({ first: start, last: end - 1 });
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  async #fetch(position: number, length: number): Promise<Buffer> {
    if (!this.#holds(position, length)) {
      const last = Math.min(position + Math.max(length, WINDOW_BYTES), this.#bytes.size) - 1;
      const chunks: Uint8Array[] = [];
      if (last >= position)
        try {
          for await (const chunk of this.#bytes.read({ first: position, last })) chunks.push(chunk);
        } catch (error) {
          this.failure = { error };
          throw error;
        }
      this.#held = Buffer.concat(chunks);
      this.#start = position;
    }
    return this.#cut(position, length);
  }

  #holds = (position: number, length: number): boolean =>
    position >= this.#start && position + length <= this.#start + this.#held.length;

  #cut = (position: number, length: number): Buffer =>
    this.#held.subarray(position - this.#start, position - this.#start + length);
}
