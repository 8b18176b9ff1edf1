import { PortFailure } from '../../ports/failures.ts';
import type { WriteSize } from '../../ports/unit-of-work.ts';
import { ACQUIRE_MS } from './database.ts';
import { translated } from './errors.ts';

const MOST_WAITING = 2_000;

export interface Waiting<Turn> {
  readonly size: WriteSize;
  begin(turn: Turn): void;
  refuse(error: unknown): void;
}

/** Units of work that wait for their turn to write, in the order they came, for a bounded time. */
export class WriteQueue<Turn> {
  readonly #group: () => Promise<void>;
  readonly #idle: () => void;
  readonly #waiting = new Set<Waiting<Turn>>();
  #running = false;

  /**
   * `group` takes some of those that wait, the first of them at least, or refuses it; it is called for one group at a
   * time. `idle` is called when nobody waits any more.
   */
  constructor(group: () => Promise<void>, idle: () => void = () => undefined) {
    this.#group = group;
    this.#idle = idle;
  }

  /** Resolves when it is the caller's turn. */
  join(size: WriteSize): Promise<Turn> {
    if (this.#waiting.size >= MOST_WAITING)
      throw new PortFailure('database', 'Too many requests wait for the database.');
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const refuse = (error: unknown): void => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
      reject(translated(error));
    };
    const timer = setTimeout(
      () => refuse(new PortFailure('database', 'The database was busy for too long.')),
      ACQUIRE_MS,
    );
    const begin = (turn: Turn): void => {
      clearTimeout(timer);
      resolve(turn);
    };
    const waiting: Waiting<Turn> = { size, begin, refuse };
    this.#waiting.add(waiting);
    if (!this.#running) void this.#run();
    return promise;
  }

  /** The one that has waited longest. */
  first(): Waiting<Turn> | undefined {
    const [first] = this.#waiting;
    return first;
  }

  /** Its turn has come. */
  take(waiting: Waiting<Turn>): void {
    this.#waiting.delete(waiting);
  }

  /** Does it for those that wait now; whoever comes meanwhile hears nothing of how it fails. */
  async forThose(attempt: () => Promise<void>): Promise<void> {
    const present = [...this.#waiting];
    try {
      await attempt();
    } catch (error) {
      for (const each of present) if (this.#waiting.has(each)) each.refuse(error);
    }
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#waiting.size > 0) await this.#group();
    } catch (error) {
      // Nothing that one of them could have been told. Whoever comes next tries anew.
      for (const each of [...this.#waiting]) each.refuse(error);
    } finally {
      this.#running = false;
      this.#idle();
    }
  }
}
