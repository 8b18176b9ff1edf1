import { UnavailableError } from '../../../ports/errors.ts';
import { JobNotStartedError, type ExitReason } from './sandboxed-process.ts';

/** The part of a process that the pool needs. */
export interface PooledProcess {
  readonly fit: boolean;
  kill(reason: ExitReason): Promise<void>;
}

export interface PoolOptions {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  /** Maximum number of concurrent jobs per process. Default 1. */
  readonly share?: number;
  /** Maximum number of waiting jobs. */
  readonly maxWaiting: number;
  /** After which an idle process ends. */
  readonly idleMs: number;
  /** Name of the port, and its messages for too many waiting jobs and for closing. */
  readonly port: string;
  readonly tooMany: string;
  readonly closing: string;
}

interface QueuedJob {
  readonly start: () => void;
  readonly refuse: (error: UnavailableError) => void;
}

/** The current use of a process; `idle` if there is none. */
interface Use {
  works: number;
  idle?: NodeJS.Timeout;
}

const MAX_ATTEMPTS = 4;

/** Runs processes while there is work, and queues the jobs. */
export class ProcessPool<P extends PooledProcess> {
  readonly #options: PoolOptions;
  readonly #start: () => P;
  readonly #processes = new Map<P, Use>();
  readonly #waiting: QueuedJob[] = [];
  /** Called when a process has ended. */
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

  /** Runs the job when its turn comes. UnavailableError if too many wait, and after `close`. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.failure(this.#options.closing);
    await this.#queue();
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.start();
    }
  }

  /**
   * Uses a process without queueing. A job whose process died over another one is repeated in another process;
   * UnavailableError if that happens repeatedly.
   */
  async lend<T>(work: (process: P) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      while (this.#isHeldUp()) await new Promise<void>((resolve) => this.#heldUp.push(resolve));
      if (this.#closed) throw this.failure(this.#options.closing);
      const process = this.#take();
      try {
        return await work(process);
      } catch (error) {
        if (!(error instanceof JobNotStartedError)) throw error;
        if (tries === MAX_ATTEMPTS) throw this.failure('Its process ended time and again.', error);
      } finally {
        await this.#giveBack(process);
      }
    }
  }

  /** Ends every process; waiting jobs are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.failure(this.#options.closing));
    for (const { idle } of this.#processes.values()) clearTimeout(idle);
    await Promise.all([...this.#processes.keys()].map((process) => process.kill('retired')));
  }

  failure(message: string, cause?: Error): UnavailableError {
    return new UnavailableError(this.#options.port, message, cause);
  }

  async #queue(): Promise<void> {
    const { concurrency, maxWaiting, tooMany } = this.#options;
    if (this.#running >= concurrency) {
      if (this.#waiting.length >= maxWaiting) throw this.failure(tooMany);
      await new Promise<void>((start, refuse) => this.#waiting.push({ start, refuse }));
    }
    this.#running++;
  }

  /** A process that accepts no more jobs is still running one: a replacement next to it would double the memory. */
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

  /** An idle process; a busy one that accepts another job only at the maximum number of processes. */
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
