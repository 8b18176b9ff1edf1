import { performance } from 'node:perf_hooks';

/** Of the event loop: milliseconds by the clock, and milliseconds that it had nothing to do. */
export interface Idling {
  now(): number;
  idle(): number;
  /** Runs it after so many milliseconds. */
  later(run: () => void, ms: number): void;
}

const eventLoop: Idling = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  later: (run, ms) => void setTimeout(run, ms),
};

/** Who has asked may ask on: of several files the next one comes in a moment. */
const ASKS_ON_MS = 250;
/** How long the loop is looked at, and the share of it that has to be to spare. */
const LOOK_MS = 20;
const SPARE = 0.5;
/** For how long a look is good: work of our own takes time from the loop as well, and is not to be told from others'. */
const GOOD_MS = 100;
/** At a stretch. From then on whatever is in line begins, as if nobody asked. */
const MOST_PUT_OFF_MS = 5_000;

/**
 * What somebody waits for goes before what nobody waits for: reading a file may begin a little later, and whoever sends
 * ten files is answered first. While somebody asks and the loop has little to spare, work in the background does not
 * begin; what has begun goes on. It is never put off for longer than some seconds.
 */
export class Foreground {
  readonly #loop: Idling;
  #askedAt = -Infinity;
  #goodUntil = -Infinity;
  #putOffFrom: number | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(loop: Idling = eventLoop) {
    this.#loop = loop;
  }

  /** Somebody asks for something. */
  asked(): void {
    this.#askedAt = this.#loop.now();
  }

  /** Resolves when work in the background may begin: to false where it is to begin no more. */
  async mayBegin(): Promise<boolean> {
    while (!this.#stopped && !this.#isFree()) await (this.#looking ??= this.#look());
    return !this.#stopped;
  }

  /** Whoever waits is told that it is to begin no more. */
  stop(): void {
    this.#stopped = true;
  }

  #isFree(): boolean {
    const now = this.#loop.now();
    if (now < this.#goodUntil) return true;
    if (now - this.#askedAt < ASKS_ON_MS) return false;
    this.#putOffFrom = undefined;
    return true;
  }

  async #look(): Promise<void> {
    const [from, idle] = [this.#loop.now(), this.#loop.idle()];
    this.#putOffFrom ??= from;
    await new Promise<void>((resolve) => this.#loop.later(resolve, LOOK_MS));
    this.#looking = undefined;
    const now = this.#loop.now();
    const spare = this.#loop.idle() - idle >= (now - from) * SPARE;
    if (spare) this.#putOffFrom = undefined;
    if (spare || now - (this.#putOffFrom ?? now) >= MOST_PUT_OFF_MS)
      this.#goodUntil = now + GOOD_MS;
  }
}
