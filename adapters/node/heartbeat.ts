export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** What takes long asks now and then whether it may go on, and leaves the rest to the next run when it may not. */
  run(goesOn: () => boolean): Promise<void>;
}

/**
 * Runs each chore over and over, with its pause after the end of one run and before the next, so that a slow one never
 * runs beside itself. Timers keep no process alive.
 */
export class Heartbeat {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #onFailure: (chore: string, error: unknown) => void;
  #stopped = false;

  constructor(onFailure: (chore: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** The first run comes after `firstMs`. */
  start(chore: Chore, firstMs = chore.everyMs): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      const run = this.#runOnce(chore).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }, firstMs);
    this.#timers.set(chore.name, timer.unref());
  }

  /** No chore begins any more; waits for those at work, which are told to end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  async #runOnce(chore: Chore): Promise<void> {
    try {
      await chore.run(() => !this.#stopped);
    } catch (error) {
      this.#onFailure(chore.name, error);
    }
    this.start(chore);
  }
}
