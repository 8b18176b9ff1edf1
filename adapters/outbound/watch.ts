interface Bounds {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Ends one exchange from outside: when it is too slow, when nobody wants it any more, when the service closes. */
export class Watch {
  readonly #ending = new AbortController();
  readonly #bounds: Bounds;
  readonly #late: (ms: number) => Error;
  #total: NodeJS.Timeout | undefined;

  /** `late` makes the error of whoever is silent, or not done, after so many milliseconds. */
  constructor(bounds: Bounds, late: (ms: number) => Error) {
    this.#bounds = bounds;
    this.#late = late;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The time of the whole runs from now on. */
  begin(): void {
    const { totalMs } = this.#bounds;
    this.#total = setTimeout(() => this.end(this.#late(totalMs)), totalMs);
  }

  end(reason: Error): void {
    clearTimeout(this.#total);
    this.#ending.abort(reason);
  }

  /**
   * Waits for something that must come within `idleMs`. Whatever breaks because of the end, the reason of the end is
   * what happened; the end is heard of even where the work can not hear of it, as in the middle of a look-up.
   */
  async within<T>(work: Promise<T>, idleMs = this.#bounds.idleMs): Promise<T> {
    const { signal } = this.#ending;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
    });
    const idle = setTimeout(() => this.end(this.#late(idleMs)), idleMs);
    if (signal.aborted) abort();
    try {
      return await Promise.race([work, aborted]);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(idle);
      signal.removeEventListener('abort', abort);
    }
  }
}
