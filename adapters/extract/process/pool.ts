import { PortFailure } from '../../../ports/failures.ts';
import { Displaced, type Death } from './confined-process.ts';

/** As much of a process as lending it needs. */
export interface Lent {
  readonly fit: boolean;
  kill(reason: Death): Promise<void>;
}

export interface PoolOptions {
  /** Works at once. */
  readonly concurrency: number;
  /** Works that one process has at once. Default 1. */
  readonly share?: number;
  /** Works that may wait for their turn. */
  readonly mostWaiting: number;
  /** After which a process without work ends. */
  readonly idleMs: number;
  /** The port it works for, and what that says when too many wait and when it is closing. */
  readonly port: string;
  readonly tooMany: string;
  readonly closing: string;
}

interface Turn {
  readonly start: () => void;
  readonly refuse: (error: PortFailure) => void;
}

/** What a process is lent for; `idle` while that is nothing. */
interface Use {
  works: number;
  idle?: NodeJS.Timeout;
}

const MOST_TRIES = 4;

/** Keeps processes while there is work for them, and those who want one in line. */
export class ProcessPool<P extends Lent> {
  readonly #options: PoolOptions;
  readonly #start: () => P;
  readonly #processes = new Map<P, Use>();
  readonly #waiting: Turn[] = [];
  /** Told when a process is gone. */
  readonly #heldUp: (() => void)[] = [];
  #running = 0;
  #closed = false;

  constructor(options: PoolOptions, start: () => P) {
    this.#options = options;
    this.#start = start;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Runs the work when it is its turn. PortFailure when too many wait, and once the pool is closed. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.failure(this.#options.closing);
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.start();
    }
  }

  /**
   * Lends a process without asking for a turn. Work whose process died over another's is done again by another process; PortFailure
   * when that happens time and again.
   */
  async lend<T>(work: (process: P) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      while (this.#isHeldUp()) await new Promise<void>((resolve) => this.#heldUp.push(resolve));
      if (this.#closed) throw this.failure(this.#options.closing);
      const process = this.#take();
      try {
        return await work(process);
      } catch (error) {
        if (!(error instanceof Displaced)) throw error;
        if (tries === MOST_TRIES) throw this.failure('Its process ended time and again.', error);
      } finally {
        await this.#giveBack(process);
      }
    }
  }

  /** Ends every process; those who wait are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.failure(this.#options.closing));
    for (const { idle } of this.#processes.values()) clearTimeout(idle);
    await Promise.all([...this.#processes.keys()].map((process) => process.kill('retired')));
  }

  failure(message: string, cause?: Error): PortFailure {
    return new PortFailure(this.#options.port, message, cause);
  }

  async #turn(): Promise<void> {
    const { concurrency, mostWaiting, tooMany } = this.#options;
    if (this.#running >= concurrency) {
      if (this.#waiting.length >= mostWaiting) throw this.failure(tooMany);
      await new Promise<void>((start, refuse) => this.#waiting.push({ start, refuse }));
    }
    this.#running++;
  }

  /** A process that is shared serves no more, and is still at work: another beside it would take its memory as well. */
  #isHeldUp(): boolean {
    const { share = 1 } = this.#options;
    const leaving = [...this.#processes].some(([process, { works }]) => !process.fit && works > 0);
    return share > 1 && leaving && !this.#closed;
  }

  #take(): P {
    const process = this.#leastUsed() ?? this.#start();
    const use = this.#processes.get(process) ?? { works: 0 };
    clearTimeout(use.idle);
    this.#processes.set(process, { works: use.works + 1 });
    return process;
  }

  /** An idle process; one that takes more work only where there are as many as there may be. */
  #leastUsed(): P | undefined {
    const { concurrency, share = 1 } = this.#options;
    const fit = [...this.#processes].filter(([process]) => process.fit);
    const [least] = fit.sort(([, a], [, b]) => a.works - b.works);
    if (!least) return undefined;
    const [process, { works }] = least;
    const isFull = fit.length * share >= concurrency;
    return works === 0 || (works < share && isFull) ? process : undefined;
  }

  async #giveBack(process: P): Promise<void> {
    const use = this.#processes.get(process);
    if (!use || --use.works > 0) return;
    const retire = async (): Promise<void> => {
      clearTimeout(use.idle);
      await process.kill('retired');
      this.#processes.delete(process);
      for (const go of this.#heldUp.splice(0)) go();
    };
    if (this.#closed || !process.fit) await retire();
    else use.idle = setTimeout(() => void retire(), this.#options.idleMs);
  }
}
