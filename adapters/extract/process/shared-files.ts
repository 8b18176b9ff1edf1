import { closeSync, ftruncate, mkdtempSync, openSync, read, rmSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const truncate = promisify(ftruncate);
const readInto = promisify(read);
const writeFrom = promisify(write);

/** The temporary folder is full or missing. */
export class OutOfTempSpaceError extends Error {
  override readonly name = 'OutOfTempSpaceError';
}

const STAGED_BYTES = 262_144;

/** Reads and writes need an explicit position, since the files have no end marker. */
interface Held {
  readonly own: number;
  readonly childs: number;
}

/**
 * Two unlinked files shared by a process and its child: one has the bytes of a job, which the child can read; the
 * other has the result, which the child can write. Large data is transferred without a pipe, for which both processes
 * would have to run alternately. The system frees the files when both have closed them.
 */
export class SharedFiles {
  readonly #given: Held;
  readonly #made: Held;
  /** Small chunks are combined here, since each write waits for a thread of the pool. */
  readonly #stage = new Uint8Array(STAGED_BYTES);
  #under: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Throws if no temporary file can be opened. */
  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'owner-workspace-'));
    const opened: number[] = [];
    const file = (name: string, own: string, childs: string): Held => {
      const path = join(folder, name);
      const pair = [own, childs].map((flags) => openSync(path, flags, 0o600));
      opened.push(...pair);
      return { own: pair[0]!, childs: pair[1]! };
    };
    try {
      this.#given = file('given', 'wx', 'r');
      this.#made = file('made', 'wx+', 'r+');
    } catch (error) {
      opened.forEach(closeSync);
      throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The inherited descriptors: one to read, one to write. */
  get childs(): readonly [given: number, made: number] {
    return [this.#given.childs, this.#made.childs];
  }

  /** Closes this process's copies once the child has them. */
  handOver(): void {
    this.childs.forEach(closeSync);
  }

  /** Replaces the content by at most `most` bytes. Resolves with their number. An error of `bytes` is rethrown. */
  async give(bytes: AsyncIterable<Uint8Array>, most: number): Promise<number> {
    let held = 0;
    let staged = 0;
    const flush = async (): Promise<void> => {
      await this.#write(staged, held);
      held += staged;
      staged = 0;
    };
    await this.#alone(() => truncate(this.#given.own, 0));
    if (most > 0)
      for await (const chunk of bytes) {
        let requested = chunk.subarray(0, most - held - staged);
        while (requested.length > 0) {
          const next = requested.subarray(0, this.#stage.length - staged);
          this.#stage.set(next, staged);
          staged += next.length;
          requested = requested.subarray(next.length);
          if (staged === this.#stage.length) await flush();
        }
        if (held + staged === most) break;
      }
    await flush();
    return held;
  }

  async #write(length: number, position: number): Promise<void> {
    for (let at = 0; at < length;) {
      const { bytesWritten } = await this.#alone(() =>
        writeFrom(this.#given.own, this.#stage, at, length - at, position + at),
      );
      at += bytesWritten;
    }
  }

  /** Removes and returns the first `length` bytes of the result, or fewer if there are fewer. */
  async take(length: number): Promise<Buffer> {
    const created = Buffer.allocUnsafeSlow(length);
    let held = 0;
    while (held < length) {
      const { bytesRead } = await this.#alone(() =>
        readInto(this.#made.own, created, held, length - held, held),
      );
      if (bytesRead === 0) break;
      held += bytesRead;
    }
    await this.#alone(() => truncate(this.#made.own, 0));
    return created.subarray(0, held);
  }

  /** Waits for pending operations first, so that a reused descriptor number is never hit. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#under.catch(() => undefined);
    [this.#given.own, this.#made.own].forEach(closeSync);
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new OutOfTempSpaceError('The shared files are closed.');
    const under = work();
    this.#under = under;
    try {
      return await under;
    } catch (error) {
      throw new OutOfTempSpaceError('A temporary file could not be used.', { cause: error });
    }
  }
}
