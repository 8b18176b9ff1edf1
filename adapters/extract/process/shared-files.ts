import { closeSync, ftruncate, mkdtempSync, openSync, read, rmSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const truncate = promisify(ftruncate);
const readInto = promisify(read);
const writeFrom = promisify(write);

/** The folder of temporary files took no more, or is gone. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

const STAGED_BYTES = 262_144;

/** Whoever reads and writes them has to give a position: there is no end to find. */
interface Held {
  readonly own: number;
  readonly childs: number;
}

/**
 * Two files that a process and its child have open and nobody can find: the bytes of a job lie in one, of which the
 * child has a descriptor to read by, and what came of them in the other, which it can write. Large bytes cross without
 * a pipe, for which both would have to be awake in turn. The system frees them with the last of the two.
 */
export class SharedFiles {
  readonly #given: Held;
  readonly #made: Held;
  /** Small pieces are gathered here: each write waits for its turn among the threads of this process. */
  readonly #stage = new Uint8Array(STAGED_BYTES);
  #under: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Throws where no temporary file can be opened. */
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

  /** What the child inherits: to read by, and to write by. */
  get childs(): readonly [given: number, made: number] {
    return [this.#given.childs, this.#made.childs];
  }

  /** The child has them now. */
  handOver(): void {
    this.childs.forEach(closeSync);
  }

  /** Puts at most `most` bytes there in place of those before. Resolves with how many came. An error of `bytes` is thrown on. */
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
        let wanted = chunk.subarray(0, most - held - staged);
        while (wanted.length > 0) {
          const next = wanted.subarray(0, this.#stage.length - staged);
          this.#stage.set(next, staged);
          staged += next.length;
          wanted = wanted.subarray(next.length);
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

  /** The first `length` bytes of what the child has made, fewer where there are fewer; none of them lie there any more. */
  async take(length: number): Promise<Buffer> {
    const made = Buffer.allocUnsafeSlow(length);
    let held = 0;
    while (held < length) {
      const { bytesRead } = await this.#alone(() =>
        readInto(this.#made.own, made, held, length - held, held),
      );
      if (bytesRead === 0) break;
      held += bytesRead;
    }
    await this.#alone(() => truncate(this.#made.own, 0));
    return made.subarray(0, held);
  }

  /** Whatever is under way is ended before, so that nobody else's descriptor is hit. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#under.catch(() => undefined);
    [this.#given.own, this.#made.own].forEach(closeSync);
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new NoRoom('The shared files are closed.');
    const under = work();
    this.#under = under;
    try {
      return await under;
    } catch (error) {
      throw new NoRoom('A temporary file could not be used.', { cause: error });
    }
  }
}
