import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breather } from '../../ports/time-and-ids.ts';

/** For how long work waits at a stretch while new connections come, and how many are let in even if that takes longer. */
const TAKING_MS = 10;
const LEAST_TAKEN = 16;
/** Of those who take turns as many go on in one turn of the loop as fit in this time, and at least one. */
const SLICES_MS = 5;

/** What a turn of the loop is made of, for specs to make their own. */
export interface TurnSource {
  now(): number;
  /** Runs it when the sockets of this turn have been read, or those of the next where they have been. */
  atEnd(run: () => void): void;
  /** Runs it in the same turn, when whoever was resumed comes to wait for something. */
  afterwards(run: () => void): void;
}

const node: TurnSource = {
  now: () => performance.now(),
  atEnd: (run) => void setImmediate(run),
  // What promises have to do comes before a tick that one of them asks for.
  afterwards: (run) => queueMicrotask(() => process.nextTick(run)),
};

/**
 * How the work of a process takes its turns. The loop takes one new connection in each of its turns, however many wait,
 * and nobody has read what those ask for: a crowd would wait unseen, where nothing can tell it to come later, for as many
 * turns as it has heads. So work waits while connections come, for some milliseconds at a stretch.
 */
export class EventLoop implements Breather {
  readonly #source: TurnSource;
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

  /** To be told of each connection as it is taken. */
  readonly arrived = (): void => {
    this.#arrived = true;
  };

  /** Runs it at the end of a turn, together with all others of that turn; it must not throw. */
  readonly soon = (run: () => void): void => {
    this.#soon.push(run);
    this.#call();
  };

  /** Resolves at the end of a turn: timers, sockets and everybody else come first. */
  readonly breathe = (): Promise<void> => new Promise((resolve) => this.soon(resolve));

  /**
   * For what is long and of which many may be under way: resolves when it is the caller's turn, after everybody who asked
   * before. So the turns of the loop stay short, however many there are. Not for whoever holds what others wait for.
   */
  readonly inTurn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#inTurn.push(resolve);
      this.#call();
    });

  #call(): void {
    if (this.#called) return;
    this.#called = true;
    // Not in the name of whoever happens to ask first: what runs then belongs to others.
    this.#outside(() => this.#source.atEnd(this.#end));
  }

  readonly #end = (): void => {
    this.#called = false;
    if (this.#taking()) return this.#call();
    const soon = this.#soon;
    this.#soon = [];
    for (const run of soon)
      try {
        run();
      } catch (error) {
        // The error stays uncaught, but the other callbacks of this tick still run: a shutdown finishes their requests.
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
      if (this.#source.now() - this.#slicesFrom < SLICES_MS) this.#next();
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
    if (this.#taken <= LEAST_TAKEN || now - this.#takingFrom < TAKING_MS) return true;
    this.#taken = 0;
    return false;
  }
}

/** A process has one. */
export const eventLoop = new EventLoop();
