import { Redis } from 'ioredis';
import { UnavailableError } from '../../ports/errors.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

/** Longer than a window, so that a late hit still counts; afterwards the key expires. */
const KEPT_SECONDS = 120;
/** An unresponsive connection is closed after this time, with all pending hits. Callers wait for less. */
const SILENCE_MS = 2_000;
/** Atomic, so that no counter is left without an expiry if the process dies. */
const HIT = `local counts = {}
for i, key in ipairs(KEYS) do
  counts[i] = redis.call('incr', key)
  if counts[i] == 1 then redis.call('expire', key, ARGV[1]) end
end
return counts`;
/** Maximum number of hits per round trip. */
const MAX_BATCH_SIZE = 32;
const READY_MS = 1_000;
/** Time limit for closing the connection to an unresponsive Redis. */
const DISCONNECT_MS = 200;

type CountingRedis = Redis & {
  hit(keys: number, ...keysAndSeconds: (string | number)[]): Promise<readonly number[]>;
};

interface Hit {
  readonly name: string;
  readonly settle: (count: number) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Counters shared by all processes. While Redis is unavailable every hit fails immediately; the client reconnects
 * automatically.
 */
export class RedisRateCounter implements RateCounter {
  readonly #redis: CountingRedis;
  readonly #prefix: string;
  #hits: Hit[] = [];

  constructor(url: string, prefix: string) {
    this.#prefix = prefix;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      disconnectTimeout: DISCONNECT_MS,
      socketTimeout: SILENCE_MS,
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      scripts: { hit: { lua: HIT } },
    }) as CountingRedis;
    // Each failed hit reports the error; without a listener the library would print it to the console.
    this.#redis.on('error', () => undefined);
  }

  /** Hits of one event-loop tick are sent in the same batch. */
  hit(key: string, window: number): Promise<number> {
    const name = `${this.#prefix}:${window}:${key}`;
    return new Promise((settle, fail) => {
      if (this.#hits.length === MAX_BATCH_SIZE) void this.#send();
      if (this.#hits.push({ name, settle, fail }) === 1) process.nextTick(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const hits = this.#hits;
    if (hits.length === 0) return;
    this.#hits = [];
    try {
      const names = hits.map(({ name }) => name);
      const counts = await this.#redis.hit(names.length, ...names, KEPT_SECONDS);
      hits.forEach(({ settle }, n) => settle(Number(counts[n])));
    } catch (error) {
      const failure = new UnavailableError('counters', 'Redis did not respond.', error);
      for (const { fail } of hits) fail(failure);
    }
  }

  /** Waits for the first connection, with a limit: the service also starts without Redis. */
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
