import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface WorkloadLimits {
  /** How many requests are worked on or wait for it at once. */
  readonly mostInFlight: number;
  /** How long a request may wait before it is begun, in milliseconds. */
  readonly mostWaitMs: number;
}

/** Of the event loop: milliseconds by the clock, milliseconds that it had nothing to do, and how many turns it has made. */
export interface Loop {
  now(): number;
  idle(): number;
  turn(): number;
  /** Runs it when the sockets of this turn have been read. */
  readonly soon: (run: () => void) => void;
  /** Runs it after so many milliseconds, and lets the loop be idle until then. */
  later(run: () => void, ms: number): void;
}

/** That of this process. */
export const loopOf = (soon: Loop['soon']): Loop => ({
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  turn: () => performance.nodeTiming.uvMetricsInfo.loopCount,
  soon,
  later: (run, ms) => void setTimeout(run, ms),
});

/** How many begin in a turn, and until when: everybody waits for it, probes as well. One may always begin. */
const MOST_A_TURN = 16;
const TURN_MS = 50;
/**
 * How many are sent away in a turn at least, and what part of its time it may take beyond them: it is taken from those who
 * are not, and a crowd that does not wait comes again at once.
 */
const LEAST_AWAY = 8;
const AWAY_SHARE = 0.25;
/** So many keep a loop busy that has no moment to spare. More would only wait for one another. */
const ENOUGH = 8;
const WINDOW_MS = 20;
const SPARE = 0.05;

const WORK = Symbol('work');
interface Work {
  readonly workload: Workload;
  state: 'counts' | 'aside' | 'over';
}
type Worked = ServerResponse & { [WORK]?: Work };

/** How long work may go on counting whose client has gone. Nothing that counts takes longer. */
const LEFT_MS = 60_000;

/** Whatever was answered is done; what goes on for nobody ends as well, so that no place is lost for good. */
function leftBehind(this: Worked): void {
  if (this.writableFinished) Workload.settle(this);
  else if (this[WORK]?.state === 'counts') setTimeout(() => Workload.settle(this), LEFT_MS).unref();
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/**
 * How much the process takes on. Requests that are read in one turn of the event loop begin together at the end of it, so
 * that they share what can be shared: a snapshot, a trip to the database, the commit of their changes, the wake-up of whoever
 * waits for the answers. One that comes alone waits for nothing.
 *
 * It begins in its turn, unless many have begun in it, or enough are under way and the loop has had no moment to spare lately:
 * then whatever begins takes its time from the others. It waits for another turn, or for one of the others to end; what has
 * waited too long by then while others are at work, and what finds too many before it, is sent away. So the loop comes round whatever is asked for,
 * what has begun is soon done, and the queue is one that can be seen. Where the loop has time to spare, as many begin as
 * come: they wait for something else.
 *
 * Only work counts: while a request waits for its client, to send a body or to take an answer, it stands aside. Work
 * goes on counting when its client has gone, for a while.
 */
export class Workload {
  readonly #limits: WorkloadLimits;
  readonly #begin: RequestListener;
  readonly #refuse: RequestListener;
  readonly #loop: Loop;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #turn = -1;
  #turnFrom = 0;
  #begun = 0;
  /** When the window began that tells whether there is time to spare, and how much the loop had been idle until then. */
  #windowFrom = 0;
  #idle = 0;
  #spare = true;
  /** Who is to be told to come later. */
  #away: Waiting[] = [];
  #telling = false;
  #toldAt = 0;
  #soon = false;
  #later = false;
  #going = false;

  /** `refuse` tells those who are sent away, and hears of those who have gone before they were begun. */
  constructor(limits: WorkloadLimits, begin: RequestListener, refuse: RequestListener, loop: Loop) {
    this.#limits = limits;
    this.#begin = begin;
    this.#refuse = refuse;
    this.#loop = loop;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.#look();
    if (this.#inFlight + this.#waiting.length >= this.#limits.mostInFlight)
      this.#sendAway({ request, response, since: this.#turnFrom });
    else {
      this.#waiting.push({ request, response, since: this.#turnFrom });
      this.#call();
    }
  }

  #sendAway(waiting: Waiting): void {
    this.#away.push(waiting);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#loop.soon(() => {
      this.#telling = false;
      this.#tell();
      if (this.#away.length > 0) this.#tellSoon();
    });
  }

  #tell(): void {
    const from = this.#loop.now();
    const until = from + Math.min(TURN_MS, from - this.#toldAt) * AWAY_SHARE;
    this.#toldAt = from;
    let told = 0;
    for (const { request, response } of this.#away) {
      if (told >= LEAST_AWAY && this.#loop.now() >= until) break;
      told++;
      this.#refuse(request, response);
    }
    this.#away.splice(0, told);
  }

  #mayBegin(): boolean {
    if (this.#inFlight >= ENOUGH && !this.#spare) return false;
    if (this.#begun === 0) return true;
    return this.#begun < MOST_A_TURN && this.#loop.now() - this.#turnFrom < TURN_MS;
  }

  /** Sees to it that those who wait are looked at again. */
  #call(): void {
    if (this.#soon) return;
    if (this.#spare || this.#inFlight < ENOUGH) {
      this.#soon = true;
      this.#loop.soon(() => {
        this.#soon = false;
        this.#goOn();
      });
    } else if (!this.#later) {
      this.#later = true;
      this.#loop.later(() => {
        this.#later = false;
        this.#goOn();
      }, WINDOW_MS);
    }
  }

  #goOn(): void {
    this.#going = true;
    this.#look();
    const [now, { mostWaitMs }] = [this.#loop.now(), this.#limits];
    let taken = 0;
    for (const waiting of this.#waiting) {
      const { request, response, since } = waiting;
      // Where nothing is under way one begins, however long the loop was held up: sending everybody away would serve nobody.
      const late = now - since > mostWaitMs && this.#inFlight > 0;
      const over = response.destroyed || late;
      if (!over && !this.#mayBegin()) break;
      taken++;
      if (over) this.#sendAway(waiting);
      else this.#start(request, response);
    }
    this.#waiting.splice(0, taken);
    this.#going = false;
    if (this.#waiting.length > 0) this.#call();
  }

  /** Whether a new turn has begun, and a window has ended. */
  #look(): void {
    const turn = this.#loop.turn();
    if (turn === this.#turn) return;
    const now = this.#loop.now();
    [this.#turn, this.#turnFrom, this.#begun] = [turn, now, 0];
    const took = now - this.#windowFrom;
    if (took < WINDOW_MS) return;
    const idle = this.#loop.idle();
    this.#spare = idle - this.#idle > took * SPARE;
    [this.#windowFrom, this.#idle] = [now, idle];
  }

  #end(): void {
    this.#inFlight--;
    // One of those who wait has its place, when it is the turn of what begins. What ends at once is no reason to ask for one.
    if (this.#waiting.length > 0 && !this.#going) this.#call();
  }

  #start(request: IncomingMessage, response: Worked): void {
    response[WORK] = { workload: this, state: 'counts' };
    response.once('close', leftBehind);
    this.#inFlight++;
    this.#begun++;
    this.#begin(request, response);
  }

  /** Its work is done, whatever came of it. What settles twice counts once. */
  static settle(response: Worked): void {
    const work = response[WORK];
    if (!work) return;
    const { state } = work;
    work.state = 'over';
    if (state === 'counts') work.workload.#end();
  }

  /** Waits for its client and does not count, until what this answers with is called, or for good. */
  static aside(response: Worked): () => void {
    const work = response[WORK];
    if (work?.state !== 'counts') return () => undefined;
    work.state = 'aside';
    work.workload.#end();
    return () => {
      if (work.state !== 'aside') return;
      work.state = 'counts';
      work.workload.#inFlight++;
    };
  }
}
