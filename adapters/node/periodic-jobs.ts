export interface PeriodicJob {
  readonly name: string;
  readonly everyMs: number;
  /** Returns whether a long job may continue; otherwise it leaves the rest to the next run. */
  run(shouldContinue: () => boolean): Promise<void>;
}

/**
 * Runs each job periodically, with a pause between the end of one run and the start of the next, so that runs never
 * overlap. The timers do not keep the process alive.
 */
export class PeriodicJobs {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #onFailure: (chore: string, error: unknown) => void;
  #stopped = false;

  constructor(onFailure: (chore: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Delay of the first run. */
  start(chore: PeriodicJob, firstMs = chore.everyMs): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      const run = this.#runOnce(chore).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }, firstMs);
    this.#timers.set(chore.name, timer.unref());
  }

  /** Starts no more jobs, signals running ones to stop, and waits for them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  async #runOnce(chore: PeriodicJob): Promise<void> {
    try {
      await chore.run(() => !this.#stopped);
    } catch (error) {
      this.#onFailure(chore.name, error);
    }
    this.start(chore);
  }
}
