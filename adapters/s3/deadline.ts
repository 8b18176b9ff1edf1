import { S3Error } from './errors.ts';

export interface Timeouts {
  /** Maximum silence in either direction. */
  readonly idleMs: number;
  /** Maximum for the exchange as a whole. Only time spent waiting for the server counts. */
  readonly totalMs: number;
}

/** Aborts one exchange, bodies included, that exceeds its timeouts. Its clock runs only while the server is waited for. */
export class Deadline {
  readonly #aborting = new AbortController();
  readonly #idleMs: number;
  #remainingMs: number;
  #timer: NodeJS.Timeout | undefined;
  #waitingSince: number | undefined;

  constructor({ idleMs, totalMs }: Timeouts) {
    this.#idleMs = idleMs;
    this.#remainingMs = totalMs;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** Reports progress: the idle timeout starts again. */
  touch(): void {
    // A request body may still be read after the response has arrived.
    if (this.#waitingSince === undefined) return;
    this.#count(this.#waitingSince);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#aborting.abort(new S3Error('timeout', 'S3 did not go on in time')),
      Math.max(0, Math.min(this.#idleMs, this.#remainingMs)),
    );
  }

  /** Awaits the work with the clock running. Rejects on time even if the work ignores the signal, as a DNS lookup does. */
  async within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#aborting;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
    });
    if (signal.aborted) abort();
    this.#waitingSince = performance.now();
    this.touch();
    try {
      return await Promise.race([work, aborted]);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(this.#timer);
      this.#count(this.#waitingSince);
      this.#waitingSince = undefined;
      signal.removeEventListener('abort', abort);
    }
  }

  #count(since: number): void {
    this.#waitingSince = performance.now();
    this.#remainingMs -= this.#waitingSince - since;
  }
}
