import BeeQueue from 'bee-queue';
import { Redis } from 'ioredis';
import type { Nudge } from '../../ports/jobs.ts';
import { keyOf } from './lane.ts';
import { within } from './within.ts';

export interface LinkOptions {
  readonly url: string;
  readonly prefix: string;
  /** A nudge whose process gave no sign for this long, in milliseconds, goes to another one. */
  readonly stallMs: number;
  /**
   * For how long nudges about one task collapse, in milliseconds. Redis drops one whose id it knows, also when it only half
   * knows it, as after an eviction: that must not last.
   */
  readonly sameIdMs: number;
  /** Nudges of one lane that may wait in Redis. */
  readonly mostWaiting: number;
  /** Told when a connection ends by itself. */
  onLost(): void;
}

const ANSWER_MS = 1_000;
/** The lane of all kinds without one of their own. */
const COMMON = 'common';

/** What a Redis that says nothing is given to close a connection: it keeps the process that long. */
const DISCONNECT_MS = 200;

/**
 * The library knows a client by this name and no other. Told again to disconnect, or when its connection has closed, the
 * client would set a timer that nothing clears, and with it keep the process for as long.
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
 * A queue for each lane on one connection to Redis, and a blocking connection for each lane that is worked on. It does not
 * outlive its connections: a queue of this library never recovers from a Redis that was restarted, so that whoever holds
 * a link opens another one.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #client: RedisClient;
  readonly #blocking: RedisClient[] = [];
  readonly #producers = new Map<string, BeeQueue<Nudge>>();
  readonly #workers = new Map<string, BeeQueue<Nudge>>();
  #isLost = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    this.#client = this.#connection(true);
    // Every queue listens for its errors.
    this.#client.setMaxListeners(0);
    // What the library makes its blocking connections with. Known here, they end with the link however far they came.
    const duplicate = (): RedisClient => {
      const connection = this.#connection(false);
      this.#blocking.push(connection);
      return connection;
    };
    Object.assign(this.#client, { duplicate });
  }

  static async open(options: LinkOptions, lanes: readonly string[]): Promise<Link> {
    const link = new Link(options);
    try {
      await within(ANSWER_MS, link.#client.connect());
      for (const lane of lanes) link.#producers.set(lane, link.#queue(lane, false));
      const ready = [...link.#producers.values()].map((queue) => queue.ready());
      await within(ANSWER_MS, Promise.all(ready));
      return link;
    } catch (error) {
      link.drop();
      throw error;
    }
  }

  /** Resolves when Redis has the nudge, knows it already, or has enough of them. */
  async push(lane: string, nudge: Nudge): Promise<void> {
    const queue = this.#producer(lane);
    if ((await this.#length(lane)) >= this.#options.mostWaiting) return;
    const { kind, taskId } = nudge;
    const id = `${keyOf(nudge)}@${Math.floor(Date.now() / this.#options.sameIdMs)}`;
    await queue.createJob({ kind, taskId }).setId(id).save();
  }

  /** Takes nudges of the lane from now on, at most so many at once. */
  work(lane: string, atOnce: number, run: (nudge: Nudge) => Promise<void>): void {
    if (this.#workers.has(lane)) return;
    const queue = this.#queue(lane, true);
    this.#workers.set(lane, queue);
    queue.process(atOnce, (job) => run(job.data));
  }

  /** Nudges that wait in Redis, for whichever process. */
  async waiting(): Promise<number> {
    const lengths = [...this.#producers.keys()].map((lane) => this.#length(lane));
    return (await within(ANSWER_MS, Promise.all(lengths))).reduce((sum, each) => sum + each, 0);
  }

  /**
   * Puts back what dead processes had taken. Rejects when Redis is away, slow, or has forgotten the scripts, and once any
   * connection was lost: a lane would wait for its nudges in vain.
   */
  async check(): Promise<void> {
    if (this.#isLost) throw new Error('A connection was lost.');
    const workers = [...this.#workers.values()].map((queue) => queue.ready());
    const checks = [...this.#producers.values()].map((queue) => queue.checkStalledJobs());
    await within(ANSWER_MS, Promise.all([...workers, ...checks]));
  }

  /** Takes no more; what runs goes on. The library's own way to do so sets a timer that outlives what it waits for. */
  stopTaking(): void {
    for (const queue of this.#workers.values()) queue.paused = true;
    for (const connection of this.#blocking) letGo(connection);
  }

  /** Waits until Redis knows of the end of what ran, but not for long. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#workers.values()].map((queue) => ended(queue, ANSWER_MS)));
    this.drop();
  }

  /** Lets go of everything at once. What runs goes on; its nudges count as stalled. */
  drop(): void {
    for (const queue of this.#workers.values()) ended(queue, 1).catch(() => undefined);
    for (const connection of [this.#client, ...this.#blocking]) letGo(connection);
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
    // The next check says the same; without listeners either would end the process.
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
      // A blocking read is silent for as long as nothing comes: only the network can tell that its far end is gone.
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

function letGo(connection: RedisClient): void {
  connection.removeAllListeners('close');
  connection.disconnect();
}

/** Also of one that has stopped taking. */
function ended(queue: BeeQueue<Nudge>, ms: number): Promise<void> {
  queue.paused = false;
  return queue.close(ms);
}
