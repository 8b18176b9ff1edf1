import { Redis } from 'ioredis';
import { PortFailure } from '../../ports/failures.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

/** Longer than a window, so that a late hit still counts into it; then the key goes by itself. */
const KEPT_SECONDS = 120;
/** A connection that says nothing for so long is given up, with all that waits for it. Whoever hits waits for less. */
const SILENCE_MS = 2_000;
const READY_MS = 1_000;
/** What a Redis that says nothing may keep a process that is done. */
const DISCONNECT_MS = 200;

/** Counters that all processes share. While Redis is away every hit fails at once; it reconnects by itself. */
export class RedisRateCounter implements RateCounter {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(url: string, prefix: string) {
    this.#prefix = prefix;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      disconnectTimeout: DISCONNECT_MS,
      socketTimeout: SILENCE_MS,
      retryStrategy: (times) => Math.min(times * 100, 1_000),
    });
    // Each failed hit says what is wrong; without a listener the library would print the same to the console.
    this.#redis.on('error', () => undefined);
  }

  async hit(key: string, window: number): Promise<number> {
    const name = `${this.#prefix}:${window}:${key}`;
    try {
      const results = await this.#redis.multi().incr(name).expire(name, KEPT_SECONDS).exec();
      const [error, count] = results?.[0] ?? [new Error('No answer.'), null];
      if (error) throw error;
      return Number(count);
    } catch (error) {
      throw new PortFailure('counters', 'Redis did not answer.', error);
    }
  }

  /** Waits for the first connection, but not for long: a service whose Redis is away starts all the same. */
  async ready(): Promise<void> {
    if (this.#redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, READY_MS);
      this.#redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Resolves once Redis answers a ping, rejects otherwise. */
  async check(): Promise<void> {
    await this.#redis.ping();
  }

  close(): Promise<void> {
    this.#redis.disconnect();
    return Promise.resolve();
  }
}
