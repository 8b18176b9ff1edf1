import BeeQueue from 'bee-queue';
import { Redis } from 'ioredis';
import type { Nudge } from '../../ports/jobs.ts';
import { keyOf } from './lane.ts';
import { withTimeout } from './with-timeout.ts';

export interface LinkOptions {
  readonly url: string;
  readonly prefix: string;
  /** A nudge whose process is silent for this long, in milliseconds, is redelivered. */
  readonly stallMs: number;
  /**
   * For how long nudges about one task are deduplicated, in milliseconds. Redis drops a nudge with a known id, even
   * if its data is incomplete, as after an eviction, so the period must be limited.
   */
  readonly sameIdMs: number;
  /** Maximum number of nudges of one lane waiting in Redis. */
  readonly maxWaiting: number;
  /** Called when a connection is lost. */
  onLost(): void;
}

const ANSWER_MS = 1_000;
/** The lane of all kinds without a dedicated one. */
const COMMON = 'common';

/** Time limit for closing a connection to an unresponsive Redis, which keeps the process alive. */
const DISCONNECT_MS = 200;

/**
 * The library recognises a client by this name. If it is disconnected twice, or after its connection has closed, it
 * sets a timer that is never cleared and keeps the process alive.
 */
class RedisClient extends Redis {
  #told = false;

  override disconnect(): void {
    if (this.#told || this.status === 'close' || this.status === 'end') return;
    this.#told = true;
    super.disconnect();
  }
}

/**
 * One queue per lane on one connection to Redis, and a blocking connection for each lane with a worker. A session
 * ends with its connections: a queue of this library never recovers from a Redis restart, so the owner of a session
 * opens another one.
 */
export class RedisSession {
  readonly #options: LinkOptions;
  readonly #client: RedisClient;
  readonly #blocking: RedisClient[] = [];
  readonly #producers = new Map<string, BeeQueue<Nudge>>();
  readonly #workers = new Map<string, BeeQueue<Nudge>>();
  #isLost = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    this.#client = this.#connection(true);
    // Every queue has a listener for its errors.
    this.#client.setMaxListeners(0);
    // Factory for the library's blocking connections. Registered here, they are closed with the session in any state.
    const duplicate = (): RedisClient => {
      const connection = this.#connection(false);
      this.#blocking.push(connection);
      return connection;
    };
    Object.assign(this.#client, { duplicate });
  }

  static async open(options: LinkOptions, lanes: readonly string[]): Promise<RedisSession> {
    const link = new RedisSession(options);
    try {
      await withTimeout(ANSWER_MS, link.#client.connect());
      for (const lane of lanes) link.#producers.set(lane, link.#queue(lane, false));
      const ready = [...link.#producers.values()].map((queue) => queue.ready());
      await withTimeout(ANSWER_MS, Promise.all(ready));
      return link;
    } catch (error) {
      link.drop();
      throw error;
    }
  }

  /** Resolves when Redis has the nudge, has it already, or is at its limit. */
  async push(lane: string, nudge: Nudge): Promise<void> {
    const queue = this.#producer(lane);
    if ((await this.#length(lane)) >= this.#options.maxWaiting) return;
    const { kind, taskId } = nudge;
    const id = `${keyOf(nudge)}@${Math.floor(Date.now() / this.#options.sameIdMs)}`;
    await queue.createJob({ kind, taskId }).setId(id).save();
  }

  /** Starts to receive nudges of the lane, with a limit of concurrent handlers. */
  work(lane: string, atOnce: number, run: (nudge: Nudge) => Promise<void>): void {
    if (this.#workers.has(lane)) return;
    const queue = this.#queue(lane, true);
    this.#workers.set(lane, queue);
    queue.process(atOnce, (job) => run(job.data));
  }

  /** Nudges that wait in Redis, of all processes. */
  async waiting(): Promise<number> {
    const lengths = [...this.#producers.keys()].map((lane) => this.#length(lane));
    return (await withTimeout(ANSWER_MS, Promise.all(lengths))).reduce(
      (sum, each) => sum + each,
      0,
    );
  }

  /**
   * Puts back the nudges of crashed processes. Rejects if Redis is unavailable, slow, or has lost its scripts, and
   * after any connection was lost, since its lane would wait forever.
   */
  async check(): Promise<void> {
    if (this.#isLost) throw new Error('A connection was lost.');
    const workers = [...this.#workers.values()].map((queue) => queue.ready());
    const checks = [...this.#producers.values()].map((queue) => queue.checkStalledJobs());
    await withTimeout(ANSWER_MS, Promise.all([...workers, ...checks]));
  }

  /** Receives no more; running handlers continue. The library's own method sets a timer that outlives them. */
  stopTaking(): void {
    for (const queue of this.#workers.values()) queue.paused = true;
    for (const connection of this.#blocking) release(connection);
  }

  /** Waits, with a limit, until Redis has the results of all runs. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#workers.values()].map((queue) => ended(queue, ANSWER_MS)));
    this.drop();
  }

  /** Closes all connections immediately. Running handlers continue; their nudges count as stalled. */
  drop(): void {
    for (const queue of this.#workers.values()) ended(queue, 1).catch(() => undefined);
    for (const connection of [this.#client, ...this.#blocking]) release(connection);
  }

  #producer(lane: string): BeeQueue<Nudge> {
    const queue = this.#producers.get(lane);
    if (!queue) throw new Error(`There is no lane ${lane}.`);
    return queue;
  }

  #length(lane: string): Promise<number> {
    return this.#client.llen(`${this.#options.prefix}:${lane || COMMON}:waiting`);
  }

  #queue(lane: string, isWorker: boolean): BeeQueue<Nudge> {
    const queue = new BeeQueue<Nudge>(lane || COMMON, {
      redis: this.#client,
      prefix: this.#options.prefix,
      isWorker,
      stallInterval: this.#options.stallMs,
      getEvents: false,
      sendEvents: false,
      storeJobs: false,
      removeOnSuccess: true,
      removeOnFailure: true,
    });
    // The next health check reports the same; without listeners either error would end the process.
    queue.on('error', () => undefined);
    queue.ready().catch(() => undefined);
    return queue;
  }

  #connection(lazyConnect: boolean): RedisClient {
    const connection = new RedisClient(this.#options.url, {
      lazyConnect,
      connectTimeout: ANSWER_MS,
      disconnectTimeout: DISCONNECT_MS,
      retryStrategy: () => null,
      maxRetriesPerRequest: null,
      // A blocking read is silent while nothing arrives, so only TCP keepalive detects a lost peer.
      keepAlive: 10_000,
    });
    connection.on('error', () => undefined);
    connection.on('close', () => {
      this.#isLost = true;
      this.#options.onLost();
    });
    return connection;
  }
}

function release(connection: RedisClient): void {
  connection.removeAllListeners('close');
  connection.disconnect();
}

/** Also in a session that no longer receives. */
function ended(queue: BeeQueue<Nudge>, ms: number): Promise<void> {
  queue.paused = false;
  return queue.close(ms);
}
