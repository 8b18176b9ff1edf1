import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scheduler } from '../../ports/runtime.ts';

/**
 * How long queued work waits while new connections are accepted, and how many are accepted even if that takes longer.
 */
const MAX_ACCEPT_MS = 10;
const MIN_ACCEPTED = 16;
/** Time per event-loop tick for resuming yielded work; at least one of them is resumed. */
const SLICE_BUDGET_MS = 5;

/** The primitives of an event-loop tick, replaceable in specs. */
export interface TickSource {
  now(): number;
  /** Runs it after the sockets of this tick have been read, or of the next tick if they have been read already. */
  atEnd(run: () => void): void;
  /** Runs it in the same tick, after the resumed callers have reached their next await. */
  afterwards(run: () => void): void;
}

const node: TickSource = {
  now: () => performance.now(),
  atEnd: (run) => void setImmediate(run),
  // Promise callbacks run before a `nextTick` callback that one of them schedules.
  afterwards: (run) => queueMicrotask(() => process.nextTick(run)),
};

/**
 * Schedules the work of a process by event-loop ticks. libuv accepts one connection per tick, however many wait, and
 * their requests have not been read yet. Without this, many clients would wait unseen for as many ticks, where no
 * admission control can shed them. So queued work waits while connections arrive, for some milliseconds at a time.
 */
export class TickScheduler implements Scheduler {
  readonly #source: TickSource;
  #soon: (() => void)[] = [];
  readonly #inTurn: (() => void)[] = [];
  readonly #outside = AsyncLocalStorage.snapshot();
  #called = false;
  #arrived = false;
  #taken = 0;
  #takingFrom = 0;
  #slicesFrom = 0;

  constructor(source = node) {
    this.#source = source;
  }

  /** Called for each accepted connection. */
  readonly onConnection = (): void => {
    this.#arrived = true;
  };

  /** Runs it at the end of the tick, together with the others of that tick; it must not throw. */
  readonly runAtTickEnd = (run: () => void): void => {
    this.#soon.push(run);
    this.#call();
  };

  /** Resolves at the end of the tick, after timers, sockets and other callbacks. */
  readonly yield = (): Promise<void> => new Promise((resolve) => this.runAtTickEnd(resolve));

  /**
   * For long computations of which many may run concurrently: resolves in FIFO order, so that ticks are short however
   * many there are. Not for callers that hold a resource others wait for.
   */
  readonly yieldSlice = (): Promise<void> =>
    new Promise((resolve) => {
      this.#inTurn.push(resolve);
      this.#call();
    });

  #call(): void {
    if (this.#called) return;
    this.#called = true;
    // Detached from the async context of the first caller, since the callbacks belong to different requests.
    this.#outside(() => this.#source.atEnd(this.#end));
  }

  readonly #end = (): void => {
    this.#called = false;
    if (this.#taking()) return this.#call();
    const runAtTickEnd = this.#soon;
    this.#soon = [];
    for (const run of runAtTickEnd)
      try {
        run();
      } catch (error) {
        // The error stays uncaught, but the other callbacks of this tick still run: a shutdown finishes their
        // requests.
        queueMicrotask(() => {
          throw error;
        });
      }
    if (this.#inTurn.length === 0) return;
    this.#source.afterwards(() => {
      this.#slicesFrom = this.#source.now();
      this.#next();
    });
  };

  readonly #next = (): void => {
    this.#inTurn.shift()?.();
    if (this.#inTurn.length === 0) return;
    this.#source.afterwards(() => {
      if (this.#source.now() - this.#slicesFrom < SLICE_BUDGET_MS) this.#next();
      else this.#call();
    });
  };

  #taking(): boolean {
    if (!this.#arrived) {
      this.#taken = 0;
      return false;
    }
    this.#arrived = false;
    const now = this.#source.now();
    if (this.#taken === 0) this.#takingFrom = now;
    this.#taken += 1;
    if (this.#taken <= MIN_ACCEPTED || now - this.#takingFrom < MAX_ACCEPT_MS) return true;
    this.#taken = 0;
    return false;
  }
}

/** One per process. */
export const eventLoop = new TickScheduler();
