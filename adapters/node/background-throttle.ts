import { performance } from 'node:perf_hooks';

/** Measurements of the event loop: elapsed milliseconds, and idle milliseconds. */
export interface Idling {
  now(): number;
  idle(): number;
  /** Calls back after a delay in milliseconds. */
  later(run: () => void, ms: number): void;
}

const eventLoop: Idling = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  later: (run, ms) => void setTimeout(run, ms),
};

/** Time after a request in which another is expected, such as the next of several uploads. */
const QUIET_PERIOD_MS = 250;
/** Length of an event-loop measurement, and the idle share it must show. */
const SAMPLE_INTERVAL_MS = 20;
const SPARE = 0.5;
/**
 * How long a measurement is valid: background work uses the event loop as well, and cannot be distinguished from
 * requests.
 */
const SAMPLE_VALID_MS = 100;
/** Maximum delay. Afterwards queued work starts, as if there were no requests. */
const MAX_DEFERRAL_MS = 5_000;

/**
 * Gives requests priority over background work: extracting text may start later, so that a client that uploads ten
 * files gets its responses first. While there are requests and the event loop is busy, background work does not
 * start; work in progress continues. The delay is limited to some seconds.
 */
export class BackgroundThrottle {
  readonly #loop: Idling;
  #askedAt = -Infinity;
  #goodUntil = -Infinity;
  #putOffFrom: number | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(loop: Idling = eventLoop) {
    this.#loop = loop;
  }

  /** Called for each request. */
  noteRequest(): void {
    this.#askedAt = this.#loop.now();
  }

  /** Resolves when background work may start: to false if it must no longer start. */
  async waitForIdle(): Promise<boolean> {
    while (!this.#stopped && !this.#isFree()) await (this.#looking ??= this.#look());
    return !this.#stopped;
  }

  /** Tells waiting work that it must no longer start. */
  stop(): void {
    this.#stopped = true;
  }

  #isFree(): boolean {
    const now = this.#loop.now();
    if (now < this.#goodUntil) return true;
    if (now - this.#askedAt < QUIET_PERIOD_MS) return false;
    this.#putOffFrom = undefined;
    return true;
  }

  async #look(): Promise<void> {
    const [from, idle] = [this.#loop.now(), this.#loop.idle()];
    this.#putOffFrom ??= from;
    await new Promise<void>((resolve) => this.#loop.later(resolve, SAMPLE_INTERVAL_MS));
    this.#looking = undefined;
    const now = this.#loop.now();
    const hasIdleTime = this.#loop.idle() - idle >= (now - from) * SPARE;
    if (hasIdleTime) this.#putOffFrom = undefined;
    if (hasIdleTime || now - (this.#putOffFrom ?? now) >= MAX_DEFERRAL_MS)
      this.#goodUntil = now + SAMPLE_VALID_MS;
  }
}
