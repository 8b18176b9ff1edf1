import type { RateCounter } from '../../ports/rate-counter.ts';

/**
 * Counters of one process. Only the current window is stored, so they use no more memory than one minute's clients.
 */
export class MemoryRateCounter implements RateCounter {
  #window = -1;
  #counts = new Map<string, number>();

  hit(key: string, window: number): Promise<number> {
    if (window > this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    // After a clock was set back, hits count in the current window.
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return Promise.resolve(count);
  }
}
