import { SharedFiles } from './shared-files.ts';
import { PAIRS_OF_FILES } from './steps.ts';

/** The files that a process shares with its child: for each job that it has at a time two of them. */
export class FilePairs {
  /** Each at the place of its number; those that a job has are missing. */
  readonly #spare: (SharedFiles | undefined)[] = [];
  #closed = false;

  /** Throws where a file can not be opened, and leaves none open. */
  constructor() {
    try {
      while (this.#spare.length < PAIRS_OF_FILES) this.#spare.push(new SharedFiles());
    } catch (error) {
      this.handOver();
      void this.close();
      throw error;
    }
  }

  /** What the child inherits, in the order of their numbers. */
  get childs(): readonly number[] {
    return this.#spare.flatMap((files) => files?.childs ?? []);
  }

  /** The child has them now. */
  handOver(): void {
    for (const files of this.#spare) files?.handOver();
  }

  /** Throws when there are more jobs than pairs. */
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

  /** Those that a job has are closed once it is over. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#spare.flatMap((files) => files?.close() ?? []));
  }
}
