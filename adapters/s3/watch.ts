import { S3Failure } from './failures.ts';

export interface Patience {
  /** Longest silence in either direction. */
  readonly idleMs: number;
  /** Longest wait for one exchange as a whole; the time in which we are the slow ones does not count. */
  readonly totalMs: number;
}

/** Ends one exchange that is too slow, bodies included, and tells the time only while something is waited for. */
export class Watch {
  readonly #ending = new AbortController();
  readonly #idleMs: number;
  #left: number;
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined;

  constructor({ idleMs, totalMs }: Patience) {
    this.#idleMs = idleMs;
    this.#left = totalMs;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Something moved: the silence begins anew. */
  touch(): void {
    // A body may go on being drawn from after its answer has come.
    if (this.#since === undefined) return;
    this.#count(this.#since);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#ending.abort(new S3Failure('slow', 'S3 did not go on in time')),
      Math.max(0, Math.min(this.#idleMs, this.#left)),
    );
  }

  /** Heard of even where the work can not hear of the end, as in the middle of a look-up. */
  async within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#ending;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
    });
    if (signal.aborted) abort();
    this.#since = performance.now();
    this.touch();
    try {
      return await Promise.race([work, aborted]);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(this.#timer);
      this.#count(this.#since);
      this.#since = undefined;
      signal.removeEventListener('abort', abort);
    }
  }

  #count(since: number): void {
    this.#since = performance.now();
    this.#left -= this.#since - since;
  }
}
