import { UnavailableError } from '../../ports/errors.ts';
import type { WriteSize } from '../../ports/unit-of-work.ts';
import { ACQUIRE_TIMEOUT_MS } from './database.ts';
import { toPortError } from './errors.ts';

const MAX_WAITING = 2_000;

export interface WaitingWrite<Slot> {
  readonly size: WriteSize;
  begin(slot: Slot): void;
  reject(error: unknown): void;
}

/** Writes that wait for a slot in a transaction, first in, first out, for a bounded time. */
export class WriteQueue<Slot> {
  readonly #runGroup: () => Promise<void>;
  readonly #onIdle: () => void;
  readonly #waiting = new Set<WaitingWrite<Slot>>();
  #isRunning = false;

  /**
   * `runGroup` begins or rejects the first write at least. It is called for one group at a time. `onIdle` is called when
   * no write waits any more.
   */
  constructor(runGroup: () => Promise<void>, onIdle: () => void) {
    this.#runGroup = runGroup;
    this.#onIdle = onIdle;
  }

  join(size: WriteSize): Promise<Slot> {
    if (this.#waiting.size >= MAX_WAITING)
      throw new UnavailableError('database', 'Too many requests wait for the database.');
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const refuse = (error: unknown): void => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
      reject(toPortError(error));
    };
    const timer = setTimeout(
      () => refuse(new UnavailableError('database', 'The database was busy for too long.')),
      ACQUIRE_TIMEOUT_MS,
    );
    const begin = (slot: Slot): void => {
      clearTimeout(timer);
      resolve(slot);
    };
    const waiting: WaitingWrite<Slot> = { size, begin, reject: refuse };
    this.#waiting.add(waiting);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** The write that has waited longest. */
  first(): WaitingWrite<Slot> | undefined {
    const [first] = this.#waiting;
    return first;
  }

  /** Removes a write that is about to begin. */
  take(waiting: WaitingWrite<Slot>): void {
    this.#waiting.delete(waiting);
  }

  /** If `attempt` fails, rejects the writes that waited when it began. Later ones try again. */
  async runForWaiting(attempt: () => Promise<void>): Promise<void> {
    const present = [...this.#waiting];
    try {
      await attempt();
    } catch (error) {
      for (const each of present) if (this.#waiting.has(each)) each.reject(error);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#waiting.size > 0) await this.#runGroup();
    } catch (error) {
      // No caller is bound to this error, so all of them get it. The next write tries again.
      for (const each of [...this.#waiting]) each.reject(error);
    } finally {
      this.#isRunning = false;
      this.#onIdle();
    }
  }
}
