/** What the reporter sends about a run of mocha, one JSON object a line. Files are relative to the project. */
export type SpecEvent =
  | { readonly event: 'loaded'; readonly planned: Readonly<Record<string, number>> }
  | { readonly event: 'begins'; readonly file: string; readonly title: string }
  | { readonly event: 'passed' | 'skipped'; readonly file: string }
  | {
      readonly event: 'failed';
      readonly of: 'hook' | 'test';
      readonly file: string;
      readonly title: string;
      readonly message: string;
    }
  | { readonly event: 'ended' };

export interface Failure {
  /** Full title of a test or a hook. */
  readonly title: string;
  readonly message: string;
}

/** The tests of one spec file in one process. */
export interface FileResult {
  hasBegun: boolean;
  planned: number;
  passed: number;
  skipped: number;
  /** Wall time of its hooks and tests. */
  milliseconds: number;
  /** In the order in which they were reported: tests, hooks, and the end of the process. */
  readonly failures: Failure[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const newFileResult = (planned = 0): FileResult => ({
  hasBegun: false,
  planned,
  passed: 0,
  skipped: 0,
  milliseconds: 0,
  failures: [],
});

/** Tests that did not run, because a hook failed or the process died, count as failed. */
export const countsOf = ({ planned, passed, skipped, failures }: FileResult): Counts => ({
  passed,
  failed: Math.max(failures.length, planned - passed - skipped),
  skipped,
});

export const hasFailed = (result: FileResult): boolean => countsOf(result).failed > 0;

/** The reason to print for a file. */
export const firstFailure = ({ failures }: FileResult): Failure =>
  failures[0] ?? { title: '', message: 'not all of its tests ran' };

/** Results of the files of one process, built from its events in their order. */
export class FileResults {
  readonly #results = new Map<string, FileResult>();
  #hasEnded = false;
  #file: string | undefined;
  #title = 'loading';
  #lastAt: number | undefined;

  /** `at` is the time of the event in milliseconds. */
  add(event: SpecEvent, at = performance.now()): void {
    if (this.#file !== undefined) this.of(this.#file).milliseconds += at - (this.#lastAt ?? at);
    this.#lastAt = at;
    if (event.event === 'ended') this.#hasEnded = true;
    else if (event.event === 'loaded') {
      for (const [file, planned] of Object.entries(event.planned))
        this.#results.set(file, newFileResult(planned));
    } else {
      this.#file = event.file;
      const result = this.of(event.file);
      result.hasBegun = true;
      if (event.event === 'begins') this.#title = event.title;
      else if (event.event === 'failed')
        result.failures.push({ title: event.title, message: event.message });
      else result[event.event]++;
    }
  }

  of(file: string): FileResult {
    const result = this.#results.get(file) ?? newFileResult();
    this.#results.set(file, result);
    return result;
  }

  /** Whether mocha has run all its tests and hooks. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get hasFailures(): boolean {
    return [...this.#results.values()].some(({ failures }) => failures.length > 0);
  }

  /** Whether the file has run, as a whole or until its process died. */
  hasReached(file: string): boolean {
    return this.#hasEnded || this.of(file).hasBegun;
  }

  /** The file whose test or hook began last, and the title of that test or hook. Without a file none has begun. */
  get last(): { readonly file: string | undefined; readonly title: string } {
    return { file: this.#file, title: this.#title };
  }
}
