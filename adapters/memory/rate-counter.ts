import type { RateCounter } from '../../ports/rate-counter.ts';

/** Counters of one process. Only the current window is kept, so they take no more room than one minute's clients. */
export class MemoryRateCounter implements RateCounter {
  #window = -1;
  #counts = new Map<string, number>();

  hit(key: string, window: number): Promise<number> {
    if (window > this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    // A clock that was set back counts into the window that is open.
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return Promise.resolve(count);
  }
}
