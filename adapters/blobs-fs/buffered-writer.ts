import type { FileHandle } from 'node:fs/promises';

/** Limit of unwritten bytes per file. */
const MAX_BUFFER_BYTES = 2 ** 20;
const MAX_BUFFERED_CHUNKS = 256;

/**
 * Writes a file while more data arrives: chunks that arrive during one write are combined in the next. Chunks are as
 * small as a socket delivers them, and each write is a round trip to a thread of the pool.
 */
export class BufferedFileWriter {
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;
  #failed: { readonly error: unknown } | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The bytes must not be modified afterwards. */
  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#running ??= this.#run();
  }

  /** Resolves when more may be added; rejects if a write has failed. */
  async room(): Promise<void> {
    while (
      this.#running &&
      (this.#bytes >= MAX_BUFFER_BYTES || this.#waiting.length >= MAX_BUFFERED_CHUNKS)
    )
      await this.#running;
    if (this.#failed) throw this.#failed.error;
  }

  /** Resolves when everything is written; rejects if a write has failed. */
  async end(): Promise<void> {
    while (this.#running) await this.#running;
    if (this.#failed) throw this.#failed.error;
  }

  /** Resolves when no write is running; pending bytes are discarded. */
  async stop(): Promise<void> {
    this.#waiting = [];
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const chunks = this.#waiting;
        [this.#waiting, this.#bytes] = [[], 0];
        await this.#write(chunks);
      }
    } catch (error) {
      this.#failed = { error };
    } finally {
      this.#running = undefined;
    }
  }

  /** A write may be partial. */
  async #write(chunks: readonly Uint8Array[]): Promise<void> {
    for (let left = chunks; left.length > 0;) {
      let { bytesWritten: taken } = await this.#file.writev(left);
      left = left.flatMap((chunk) => {
        const gone = Math.min(taken, chunk.length);
        taken -= gone;
        return gone === chunk.length ? [] : [chunk.subarray(gone)];
      });
    }
  }
}
