import { PortFailure } from '../../ports/failures.ts';

const MOST_WAITING = 2_000;

/** Lets work under one name run one after the other; different names do not wait for each other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();
  #waiting = 0;

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING)
      throw new PortFailure('database', 'Too many requests wait for the database.');
    const before = this.#last.get(name);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(name, mine);
    this.#waiting++;
    try {
      return await mine;
    } finally {
      this.#waiting--;
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
