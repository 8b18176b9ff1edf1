import { SharedFiles } from './shared-files.ts';
import { PAIRS_OF_FILES } from './child-messages.ts';

/** The files that a process shares with its child: two pairs, one per concurrent job. */
export class FilePairs {
  /** Indexed by number; pairs in use are missing. */
  readonly #spare: (SharedFiles | undefined)[] = [];
  #closed = false;

  /** Throws if a file cannot be opened, and leaves none open. */
  constructor() {
    try {
      while (this.#spare.length < PAIRS_OF_FILES) this.#spare.push(new SharedFiles());
    } catch (error) {
      this.handOver();
      void this.close();
      throw error;
    }
  }

  /** The descriptors that the child inherits, in order. */
  get childs(): readonly number[] {
    return this.#spare.flatMap((files) => files?.childs ?? []);
  }

  /** Closes this process's copies once the child has them. */
  handOver(): void {
    for (const files of this.#spare) files?.handOver();
  }

  /** Throws if there are more jobs than pairs. */
  async lend<T>(work: (files: SharedFiles, pair: number) => Promise<T>): Promise<T> {
    const pair = this.#spare.findIndex((files) => files !== undefined);
    const files = this.#spare[pair];
    if (!files) throw new Error('There are more jobs than pairs of files.');
    this.#spare[pair] = undefined;
    try {
      return await work(files, pair);
    } finally {
      if (this.#closed) await files.close();
      else this.#spare[pair] = files;
    }
  }

  /** Those in use are closed at the end of their job. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#spare.flatMap((files) => files?.close() ?? []));
  }
}
