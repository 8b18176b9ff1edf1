import type { JobQueue, Nudge, QueueLimits } from '../../ports/jobs.ts';

type Handler = (taskId: string) => Promise<void>;

export interface InProcessJobQueueOptions extends QueueLimits {
  /** Called for every handler that rejects. */
  onFailure(nudge: Nudge, error: unknown): void;
}

/** Nudges within this process. They are lost when it ends; the tasks are not. */
export class InProcessJobQueue implements JobQueue {
  readonly #options: InProcessJobQueueOptions;
  readonly #handlers = new Map<string, Handler>();
  readonly #waiting = new Map<string, Nudge>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #occupied = new Map<string, number>();
  #closed = false;

  constructor(options: InProcessJobQueueOptions) {
    this.#options = options;
  }

  enqueue(nudge: Nudge): Promise<void> {
    if (!this.#closed && this.#waiting.size < this.#options.maxWaiting) {
      this.#waiting.set(`${nudge.kind}/${nudge.taskId}`, nudge);
      setImmediate(() => this.#start());
    }
    return Promise.resolve();
  }

  handle(kind: string, run: Handler): void {
    this.#handlers.set(kind, run);
    setImmediate(() => this.#start());
  }

  waiting(): Promise<number> {
    return Promise.resolve(this.#waiting.size);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #start(): void {
    for (const [key, nudge] of this.#waiting) {
      if (this.#closed) return;
      const run = this.#handlers.get(nudge.kind);
      if (!run || this.#running.has(key) || !this.#hasRoom(nudge.kind)) continue;
      this.#waiting.delete(key);
      this.#occupy(nudge.kind, 1);
      this.#running.set(key, this.#run(key, nudge, run));
    }
  }

  #hasRoom(kind: string): boolean {
    const { lanes, concurrency } = this.#options;
    const lane = this.#laneOf(kind);
    const atOnce = Object.hasOwn(lanes, lane) ? lanes[lane] : undefined;
    return (this.#occupied.get(lane) ?? 0) < (atOnce ?? concurrency);
  }

  #occupy(kind: string, by: 1 | -1): void {
    const lane = this.#laneOf(kind);
    this.#occupied.set(lane, (this.#occupied.get(lane) ?? 0) + by);
  }

  /** '' is the lane of all kinds without a dedicated one. */
  #laneOf(kind: string): string {
    return Object.hasOwn(this.#options.lanes, kind) ? kind : '';
  }

  async #run(key: string, nudge: Nudge, run: Handler): Promise<void> {
    try {
      await run(nudge.taskId);
    } catch (error) {
      this.#options.onFailure(nudge, error);
    } finally {
      this.#running.delete(key);
      this.#occupy(nudge.kind, -1);
      setImmediate(() => this.#start());
    }
  }
}
