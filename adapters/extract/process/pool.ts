import { PortFailure } from '../../../ports/failures.ts';
import type { Death } from './confined-process.ts';

/** As much of a process as lending it needs. */
export interface Lent {
  readonly fit: boolean;
  kill(reason: Death): Promise<void>;
}

export interface PoolOptions {
  /** Works at once. */
  readonly concurrency: number;
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

/** Keeps processes while there is work for them, and those who want one in line. */
export class ProcessPool<P extends Lent> {
  readonly #options: PoolOptions;
  readonly #start: () => P;
  readonly #processes = new Set<P>();
  readonly #idle = new Map<P, NodeJS.Timeout>();
  readonly #waiting: Turn[] = [];
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

  /** Lends a process without asking for a turn. */
  async lend<T>(work: (process: P) => Promise<T>): Promise<T> {
    if (this.#closed) throw this.failure(this.#options.closing);
    const process = this.#take();
    try {
      return await work(process);
    } finally {
      await this.#giveBack(process);
    }
  }

  /** Ends every process; those who wait are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.failure(this.#options.closing));
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#processes].map((process) => process.kill('retired')));
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

  #take(): P {
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(process);
      if (process.fit) return process;
      this.#processes.delete(process);
    }
    const process = this.#start();
    this.#processes.add(process);
    return process;
  }

  async #giveBack(process: P): Promise<void> {
    const retire = async (): Promise<void> => {
      this.#idle.delete(process);
      await process.kill('retired');
      this.#processes.delete(process);
    };
    if (this.#closed || !process.fit) await retire();
    else
      this.#idle.set(
        process,
        setTimeout(() => void retire(), this.#options.idleMs),
      );
  }
}
