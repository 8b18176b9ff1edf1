import type { Nudge } from '../../ports/jobs.ts';

export interface LaneOptions {
  /** Maximum number of concurrent handlers in this process. */
  readonly atOnce: number;
  /** Nudges that may wait in this process. */
  readonly maxWaiting: number;
  /** Whether this process has a handler for the kind. */
  knows(kind: string): boolean;
  /** Never rejects. */
  run(nudge: Nudge): Promise<void>;
}

interface Waiting {
  readonly nudge: Nudge;
  readonly resolvers: (() => void)[];
}

export const keyOf = ({ kind, taskId }: Nudge): string => `${kind}/${taskId}`;

/** Concurrency control of one process for the kinds of a lane, for nudges from any source. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Promise<void>>();
  #closed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Resolves once the task has been run after this call, or the nudge was dropped; the task remains as a row. */
  add(nudge: Nudge): Promise<void> {
    const key = keyOf(nudge);
    const known = this.#waiting.get(key);
    if (this.#closed || (!known && this.#waiting.size >= this.#options.maxWaiting))
      return Promise.resolve();
    return new Promise((resolve) => {
      if (known) known.resolvers.push(resolve);
      else this.#waiting.set(key, { nudge, resolvers: [resolve] });
      this.start();
    });
  }

  isRunning(nudge: Nudge): boolean {
    return this.#running.has(keyOf(nudge));
  }

  waiting(): number {
    return this.#waiting.size;
  }

  /** Called when a handler is registered. */
  start(): void {
    for (const [key, { nudge, resolvers }] of this.#waiting) {
      if (this.#closed || this.#running.size >= this.#options.atOnce) return;
      if (this.#running.has(key) || !this.#options.knows(nudge.kind)) continue;
      this.#waiting.delete(key);
      // Marked as running first: a nudge about itself while it runs is for a later run.
      this.#running.set(
        key,
        Promise.resolve().then(() => this.#run(key, nudge, resolvers)),
      );
    }
  }

  /** Starts no more handlers and waits for running ones. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { resolvers } of this.#waiting.values()) for (const each of resolvers) each();
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  async #run(key: string, nudge: Nudge, resolvers: readonly (() => void)[]): Promise<void> {
    await this.#options.run(nudge);
    this.#running.delete(key);
    for (const each of resolvers) each();
    setImmediate(() => this.start());
  }
}
