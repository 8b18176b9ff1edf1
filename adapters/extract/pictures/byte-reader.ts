/** The bytes ended prematurely. */
export class Truncated extends Error {
  override readonly name = 'Truncated';
}

/** Reads a file sequentially, a few bytes at a time, and skips the rest without buffering it. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #passed = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Number of bytes read and skipped so far. */
  get position(): number {
    return this.#passed;
  }

  /** The next bytes; Truncated if there are fewer. Meant for a few kilobytes at most. */
  async take(count: number): Promise<Buffer> {
    const taken = Buffer.alloc(count);
    for (let filled = 0; filled < count;) {
      const here = await this.#some(count - filled);
      taken.set(here, filled);
      filled += here.length;
    }
    return taken;
  }

  /** The next bytes, or undefined at the end of the file. */
  async next(count: number): Promise<Buffer | undefined> {
    try {
      return await this.take(count);
    } catch (error) {
      if (error instanceof Truncated) return undefined;
      throw error;
    }
  }

  /** Skips bytes; Truncated if there are fewer. */
  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) left -= (await this.#some(left)).length;
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #some(most: number): Promise<Uint8Array> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Truncated();
      this.#chunk = next.value;
      this.#at = 0;
    }
    const here = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += here.length;
    this.#passed += here.length;
    return here;
  }
}
