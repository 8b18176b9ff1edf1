import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue, Nudge, QueueLimits } from '../../ports/jobs.ts';
import { Lane } from './lane.ts';
import { RedisSession } from './redis-session.ts';
import { withTimeout } from './with-timeout.ts';

type Handler = (taskId: string) => Promise<void>;

export interface BeeJobQueueOptions extends QueueLimits {
  readonly url: string;
  /** Key prefix of this installation, since others may share the Redis. */
  readonly prefix: string;
  /** How long a worker may be silent before its nudge is redelivered, in milliseconds. */
  readonly stallMs?: number;
  /** For how long nudges about one task are deduplicated, in milliseconds. */
  readonly sameIdMs?: number;
  /** Called for every handler that rejects. */
  onFailure(nudge: Nudge, error: unknown): void;
  /** Called once per Redis outage. */
  onOutage(error: unknown): void;
}

const STALL_MS = 5_000;
const SAME_ID_MS = 60_000;
/** Maximum delay of a request by an unresponsive Redis; the following ones have none. */
const OFFER_MS = 500;
const RETRY_MS = 500;
const TELL_MS = 1_000;
const COMMON = '';

/**
 * Nudges shared by all processes of an installation through Redis. While Redis is unavailable, each process handles
 * its own nudges, and its sweeper supplements them. Claims in the rows keep two processes from running the same task.
 */
export class BeeJobQueue implements JobQueue {
  readonly #options: BeeJobQueueOptions;
  readonly #handlers = new Map<string, Handler>();
  readonly #lanes = new Map<string, Lane>();
  #keeping: Promise<void> | undefined;
  /** The current session, which may have ended without notice. */
  #held: RedisSession | undefined;
  /** The same, while it responds. */
  #link: RedisSession | undefined;
  #state: 'open' | 'closing' | 'ended' = 'open';
  #wake = (): void => undefined;

  constructor(options: BeeJobQueueOptions) {
    this.#options = options;
    for (const lane of [COMMON, ...Object.keys(options.lanes)])
      this.#lanes.set(
        lane,
        new Lane({
          atOnce: this.#atOnce(lane),
          maxWaiting: options.maxWaiting,
          knows: (kind) => this.#handlers.has(kind),
          run: (nudge) => this.#run(nudge),
        }),
      );
  }

  async enqueue(nudge: Nudge): Promise<void> {
    if (!this.#isOpen()) return;
    this.#keeping ??= this.#keepLinked();
    const [name, lane] = this.#laneOf(nudge.kind);
    // Redis would drop it, since the task counts as running.
    if (lane.isRunning(nudge)) return void lane.add(nudge);
    const link = this.#link;
    if (!link) return void lane.add(nudge);
    try {
      await withTimeout(OFFER_MS, link.push(name, nudge));
    } catch {
      // The next health check detects a slow or lost connection. Other nudges do not wait for that.
      this.#link = undefined;
      this.#wake();
      void lane.add(nudge);
    }
  }

  handle(kind: string, run: Handler): void {
    this.#handlers.set(kind, run);
    this.#keeping ??= this.#keepLinked();
    setImmediate(() => {
      if (!this.#isOpen()) return;
      this.#laneOf(kind)[1].start();
      if (this.#link) this.#workFor(this.#link);
    });
  }

  async waiting(): Promise<number> {
    this.#keeping ??= this.#keepLinked();
    const here = [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting(), 0);
    const disconnected = new UnavailableError(
      'queue',
      'Redis is not responding. Processes work independently.',
    );
    if (!this.#link) throw disconnected;
    return here + (await this.#link.waiting().catch(() => Promise.reject(disconnected)));
  }

  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    this.#wake();
    this.#held?.stopTaking();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
    // Only the acknowledgement to Redis remains; without it the nudge counts as stalled.
    if (this.#held) await withTimeout(TELL_MS, this.#held.close()).catch(() => undefined);
    this.end();
    await this.#keeping;
  }

  /** Disconnects from Redis without waiting. */
  end(): void {
    this.#state = 'ended';
    this.#wake();
    this.#link = undefined;
    this.#held?.drop();
  }

  async #keepLinked(): Promise<void> {
    let disconnected = false;
    // Handlers registered in the same tick are all known by then.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isOpen()) {
      try {
        const link = (this.#held ??= await this.#open());
        if (!this.#isOpen()) return link.drop();
        this.#workFor(link);
        await link.check();
        this.#link = this.#isOpen() ? link : undefined;
        disconnected = false;
      } catch (error) {
        this.#held?.drop();
        this.#held = this.#link = undefined;
        if (!disconnected && this.#isOpen()) this.#options.onOutage(error);
        disconnected = true;
      }
      await this.#pause(disconnected ? RETRY_MS : (this.#options.stallMs ?? STALL_MS) / 2);
    }
  }

  /** Read again after every wait. */
  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #open(): Promise<RedisSession> {
    const { url, prefix, maxWaiting, stallMs = STALL_MS, sameIdMs = SAME_ID_MS } = this.#options;
    const onLost = () => {
      this.#link = undefined;
      this.#wake();
    };
    return RedisSession.open({ url, prefix, maxWaiting, stallMs, sameIdMs, onLost }, [
      ...this.#lanes.keys(),
    ]);
  }

  /** Lanes for which this process has handlers. */
  #workFor(link: RedisSession): void {
    for (const kind of this.#handlers.keys()) {
      const [name, lane] = this.#laneOf(kind);
      link.work(name, this.#atOnce(name), (nudge) =>
        // A process of another version may have further kinds: the sweeper enqueues the task again.
        this.#handlers.has(nudge.kind) ? lane.add(nudge) : Promise.resolve(),
      );
    }
  }

  #pause(ms: number): Promise<void> {
    if (!this.#isOpen()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #run(nudge: Nudge): Promise<void> {
    try {
      await this.#handlers.get(nudge.kind)?.(nudge.taskId);
    } catch (error) {
      this.#options.onFailure(nudge, error);
    }
  }

  #laneOf(kind: string): readonly [string, Lane] {
    const name = this.#lanes.has(kind) ? kind : COMMON;
    const lane = this.#lanes.get(name);
    if (!lane) throw new Error(`There is no lane ${name}.`);
    return [name, lane];
  }

  #atOnce(lane: string): number {
    const { lanes, concurrency } = this.#options;
    return (Object.hasOwn(lanes, lane) ? lanes[lane] : undefined) ?? concurrency;
  }
}
