interface Bounds {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Cancels one request: if it is too slow, if its result is no longer needed, or if the service closes. */
export class RequestTimeout {
  readonly #ending = new AbortController();
  readonly #bounds: Bounds;
  readonly #late: (ms: number) => Error;
  #total: NodeJS.Timeout | undefined;

  /** `late` creates the error for a timeout after the given milliseconds. */
  constructor(bounds: Bounds, late: (ms: number) => Error) {
    this.#bounds = bounds;
    this.#late = late;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The total time limit starts now. */
  begin(): void {
    const { totalMs } = this.#bounds;
    this.#total = setTimeout(() => this.end(this.#late(totalMs)), totalMs);
  }

  end(reason: Error): void {
    clearTimeout(this.#total);
    this.#ending.abort(reason);
  }

  /**
   * Waits for something that must arrive within `idleMs`. Errors caused by the cancellation are replaced by its
   * reason. The cancellation is noticed even while the work does not observe it, as during a DNS lookup.
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
