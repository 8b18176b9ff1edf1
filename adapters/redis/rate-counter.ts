import { Redis } from 'ioredis';
import { PortFailure } from '../../ports/failures.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

/** Longer than a window, so that a late hit still counts into it; then the key goes by itself. */
const KEPT_SECONDS = 120;
const ANSWER_MS = 150;
/** One trip, and no counter without an end, whenever the process dies. */
const HIT = `local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('expire', KEYS[1], ARGV[1]) end
return count`;
const READY_MS = 1_000;
/** What a Redis that says nothing may keep a process that is done. */
const DISCONNECT_MS = 200;

type CountingRedis = Redis & { hit(key: string, seconds: number): Promise<unknown> };

/** Counters that all processes share. While Redis is away every hit fails at once; it reconnects by itself. */
export class RedisRateCounter implements RateCounter {
  readonly #redis: CountingRedis;
  readonly #prefix: string;

  constructor(url: string, prefix: string) {
    this.#prefix = prefix;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      disconnectTimeout: DISCONNECT_MS,
      commandTimeout: ANSWER_MS,
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      scripts: { hit: { lua: HIT, numberOfKeys: 1 } },
    }) as CountingRedis;
    // Each failed hit says what is wrong; without a listener the library would print the same to the console.
    this.#redis.on('error', () => undefined);
  }

  async hit(key: string, window: number): Promise<number> {
    const name = `${this.#prefix}:${window}:${key}`;
    try {
      return Number(await this.#redis.hit(name, KEPT_SECONDS));
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
