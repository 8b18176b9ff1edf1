import type { FileHandle } from 'node:fs/promises';

/** Of one file, in memory until they are written. */
const MOST_BYTES = 2 ** 20;
const MOST_CHUNKS = 256;

/**
 * Writes a file while more of it comes: what comes during one write goes with the next, all of it at once. Chunks come
 * as small as a socket gives them, and each write by itself is a way to another thread and back.
 */
export class Writing {
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;
  #failed: { readonly error: unknown } | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The bytes must stay as they are. */
  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#running ??= this.#run();
  }

  /** Resolves when more may come, rejects where a write has failed. */
  async room(): Promise<void> {
    while (this.#running && (this.#bytes >= MOST_BYTES || this.#waiting.length >= MOST_CHUNKS))
      await this.#running;
    if (this.#failed) throw this.#failed.error;
  }

  /** Resolves when everything is written, rejects where a write has failed. */
  async end(): Promise<void> {
    while (this.#running) await this.#running;
    if (this.#failed) throw this.#failed.error;
  }

  /** Resolves when nothing is written any more: what waits is given up. */
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

  /** The system may take less than it was given. */
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
