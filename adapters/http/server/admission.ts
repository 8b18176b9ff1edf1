import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Permit } from '../pipeline/permit.ts';

export interface AdmissionLimits {
  /** Requests that run or are queued at the same time. */
  readonly maxInFlight: number;
  /** How long a request may be queued. */
  readonly maxQueueWaitMs: number;
}

/** The event loop: clock, idle time so far in milliseconds, and the number of its tick. */
export interface Loop {
  now(): number;
  idle(): number;
  tick(): number;
  /** Runs a function when the sockets of this tick have been read. */
  readonly runAtTickEnd: (run: () => void) => void;
  /** Runs a function after this time, and lets the loop be idle until then. */
  runAfter(run: () => void, ms: number): void;
}

/** That of this process. */
export const loopOf = (runAtTickEnd: Loop['runAtTickEnd']): Loop => ({
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  tick: () => performance.nodeTiming.uvMetricsInfo.loopCount,
  runAtTickEnd,
  runAfter: (run, ms) => void setTimeout(run, ms),
});

/** At most so many requests start in a tick, for at most this time, because all others wait for it. One always may. */
const MAX_STARTS_PER_TICK = 16;
const TICK_BUDGET_MS = 50;
/**
 * Requests that are shed in a tick at least, and the share of its time that shedding may take beyond them: the time is taken
 * from admitted requests, and clients that retry at once come back.
 */
const MIN_SHED_PER_TICK = 8;
const MAX_SHED_TIME_SHARE = 0.25;
/** So many requests keep a loop busy that has no idle time. More would only wait for one another. */
const SATURATION_CONCURRENCY = 8;
const SAMPLE_INTERVAL_MS = 20;
const MIN_IDLE_SHARE = 0.05;
/** How long the work of a disconnected client may go on counting. No work that counts takes longer. */
const ABANDONED_WORK_MS = 60_000;

/** What the controller needs of an exchange. */
export interface Admitted {
  readonly response: ServerResponse;
  permit: Permit;
}

/** A request in the queue, and its permit once it has started. */
class Ticket<E extends Admitted> implements Permit {
  readonly exchange: E;
  readonly queuedAt: number;
  readonly #count: (change: 1 | -1) => void;
  #state: 'queued' | 'counts' | 'suspended' | 'released' = 'queued';

  constructor(exchange: E, queuedAt: number, count: (change: 1 | -1) => void) {
    this.exchange = exchange;
    this.queuedAt = queuedAt;
    this.#count = count;
  }

  start(): void {
    this.#state = 'counts';
    this.#count(1);
    this.exchange.permit = this;
    this.exchange.response.on('close', this.#onClose);
  }

  release(): void {
    const state = this.#state;
    this.#state = 'released';
    if (state === 'counts') this.#count(-1);
  }

  suspend(): () => void {
    if (this.#state !== 'counts') return () => undefined;
    this.#state = 'suspended';
    this.#count(-1);
    return () => {
      if (this.#state !== 'suspended') return;
      this.#state = 'counts';
      this.#count(1);
    };
  }

  /** Work for a disconnected client ends as well. Work that hangs must not hold a permit for good. */
  readonly #onClose = (): void => {
    if (this.exchange.response.writableFinished) this.release();
    else if (this.#state === 'counts') setTimeout(() => this.release(), ABANDONED_WORK_MS).unref();
  };
}

/**
 * Admission control. Requests that are read in one tick of the event loop start together at its end, so that they share
 * snapshots, round trips to the database and commits. A request that comes alone does not wait.
 *
 * A request starts in its tick unless many have started in it, or enough are in flight and the loop has had no idle time
 * lately: then each new one takes its time from the others. It stays queued until a later tick or until another one ends. A
 * request is shed (503) if too many are before it, or if it has been queued for too long while others are in flight. So
 * ticks stay short and the queue is visible. While the loop has idle time all requests start: they wait for something else.
 *
 * Only work counts: a request that waits for its client, to send a body or to read a response, is suspended. Work goes on
 * counting for a while after its client has disconnected.
 */
export class AdmissionController<E extends Admitted> {
  readonly #limits: AdmissionLimits;
  readonly #begin: (exchange: E) => void;
  readonly #shed: (exchange: E) => void;
  readonly #loop: Loop;
  #queue: Ticket<E>[] = [];
  #inFlight = 0;
  #tick = -1;
  #tickStartedAt = 0;
  #startedInTick = 0;
  /** Start of the sample that tells whether there is idle time, and the loop's idle time until then. */
  #sampleStartedAt = 0;
  #idleAtSample = 0;
  #hasIdleTime = true;
  #toShed: E[] = [];
  #isSheddingScheduled = false;
  #shedAt = 0;
  #isRunScheduled = false;
  #isTimerScheduled = false;
  #isRunning = false;

  /** `shed` gets the rejected requests, and those whose client has disconnected before they started. */
  constructor(
    limits: AdmissionLimits,
    begin: (exchange: E) => void,
    shed: (exchange: E) => void,
    loop: Loop,
  ) {
    this.#limits = limits;
    this.#begin = begin;
    this.#shed = shed;
    this.#loop = loop;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  submit(exchange: E): void {
    this.#updateTick();
    if (this.#inFlight + this.#queue.length >= this.#limits.maxInFlight) this.#reject(exchange);
    else {
      this.#queue.push(new Ticket(exchange, this.#tickStartedAt, this.#count));
      this.#scheduleRun();
    }
  }

  readonly #count = (change: 1 | -1): void => {
    this.#inFlight += change;
    // A queued request uses the capacity, at the end of a tick. Requests that end while others start trigger no run of
    // their own.
    if (change === -1 && this.#queue.length > 0 && !this.#isRunning) this.#scheduleRun();
  };

  #reject(exchange: E): void {
    this.#toShed.push(exchange);
    this.#scheduleShedding();
  }

  #scheduleShedding(): void {
    if (this.#isSheddingScheduled) return;
    this.#isSheddingScheduled = true;
    this.#loop.runAtTickEnd(() => {
      this.#isSheddingScheduled = false;
      this.#shedSome();
      if (this.#toShed.length > 0) this.#scheduleShedding();
    });
  }

  #shedSome(): void {
    const from = this.#loop.now();
    const until = from + Math.min(TICK_BUDGET_MS, from - this.#shedAt) * MAX_SHED_TIME_SHARE;
    this.#shedAt = from;
    let count = 0;
    for (const exchange of this.#toShed) {
      if (count >= MIN_SHED_PER_TICK && this.#loop.now() >= until) break;
      count++;
      this.#shed(exchange);
    }
    this.#toShed.splice(0, count);
  }

  #mayStart(): boolean {
    if (this.#inFlight >= SATURATION_CONCURRENCY && !this.#hasIdleTime) return false;
    if (this.#startedInTick === 0) return true;
    return (
      this.#startedInTick < MAX_STARTS_PER_TICK &&
      this.#loop.now() - this.#tickStartedAt < TICK_BUDGET_MS
    );
  }

  #scheduleRun(): void {
    if (this.#isRunScheduled) return;
    if (this.#hasIdleTime || this.#inFlight < SATURATION_CONCURRENCY) {
      this.#isRunScheduled = true;
      this.#loop.runAtTickEnd(() => {
        this.#isRunScheduled = false;
        this.#runQueue();
      });
    } else if (!this.#isTimerScheduled) {
      this.#isTimerScheduled = true;
      this.#loop.runAfter(() => {
        this.#isTimerScheduled = false;
        this.#runQueue();
      }, SAMPLE_INTERVAL_MS);
    }
  }

  #runQueue(): void {
    this.#isRunning = true;
    this.#updateTick();
    const [now, { maxQueueWaitMs }] = [this.#loop.now(), this.#limits];
    let taken = 0;
    for (const ticket of this.#queue) {
      const { exchange, queuedAt } = ticket;
      // While nothing is in flight one request starts, however late: shedding all of them would serve no client.
      const isLate = now - queuedAt > maxQueueWaitMs && this.#inFlight > 0;
      const isOver = exchange.response.destroyed || isLate;
      if (!isOver && !this.#mayStart()) break;
      taken++;
      if (isOver) this.#reject(exchange);
      else {
        this.#startedInTick++;
        ticket.start();
        this.#begin(exchange);
      }
    }
    this.#queue.splice(0, taken);
    this.#isRunning = false;
    if (this.#queue.length > 0) this.#scheduleRun();
  }

  /** Notes the start of a new tick, and the end of a sample. */
  #updateTick(): void {
    const tick = this.#loop.tick();
    if (tick === this.#tick) return;
    const now = this.#loop.now();
    [this.#tick, this.#tickStartedAt, this.#startedInTick] = [tick, now, 0];
    const took = now - this.#sampleStartedAt;
    if (took < SAMPLE_INTERVAL_MS) return;
    const idle = this.#loop.idle();
    this.#hasIdleTime = idle - this.#idleAtSample > took * MIN_IDLE_SHARE;
    [this.#sampleStartedAt, this.#idleAtSample] = [now, idle];
  }
}
