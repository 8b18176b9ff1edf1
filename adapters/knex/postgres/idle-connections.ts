import type pg from 'pg';
import { wireOf, type Wire } from './connection.ts';
import { acquired, released, type Pooled } from '../pool.ts';

type Connection = pg.Client & { readonly __knex__disposed?: unknown };

interface Spare {
  readonly connection: Connection;
  readonly wire: Wire;
  /** Turns of the sweeper that it has lain here. */
  age: number;
}

/** How often what lies here is looked at: so long may a transaction that has only read stay open. */
const SWEEP_MS = 10;
/** Turns of the sweeper after which the pool may have a connection back, which closes it in time. */
const OLD = 100;

/**
 * Connections between two units of work. They are kept out of the pool, whose book-keeping costs as much as a
 * statement, and one that has only read ends its transaction together with the next statement, not in a trip of its
 * own. One is always left to the pool: a migration does not come by here.
 */
export class Connections {
  readonly #pool: Pooled;
  readonly #most: number;
  readonly #spares: Spare[] = [];
  #sweeper: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(pool: Pooled, size: number) {
    this.#pool = pool;
    this.#most = size - 1;
  }

  /** Lends a connection to `work`. */
  async lend<T>(work: (wire: Wire) => Promise<T>): Promise<T> {
    const spare = this.#take() ?? (await this.#acquire());
    try {
      return await work(spare.wire);
    } finally {
      this.#give(spare);
    }
  }

  /** Before the pool is closed, which waits for everything it has lent. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#sweeper);
    for (const spare of this.#spares.splice(0)) this.#release(spare);
  }

  #take(): Spare | undefined {
    for (;;) {
      const spare = this.#spares.pop();
      if (!spare?.connection.__knex__disposed) return spare;
      this.#release(spare);
    }
  }

  async #acquire(): Promise<Spare> {
    const connection = (await acquired(this.#pool)) as Connection;
    return { connection, wire: wireOf(connection), age: 0 };
  }

  #give(spare: Spare): void {
    const awaited = (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
    const full = this.#spares.length >= this.#most;
    if (awaited || full || this.#closed || spare.connection.__knex__disposed) {
      this.#release(spare);
      return;
    }
    spare.age = 0;
    this.#spares.push(spare);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** The pool may lend it to somebody who knows nothing of what was left for later. */
  #release({ connection, wire }: Spare): void {
    wire.end();
    // Fails only while the pool is being closed. Then no pool is left to release the connection to.
    released(this.#pool, connection).catch(() => undefined);
  }

  #sweep(): void {
    for (const spare of this.#spares) if (spare.age++ > 0) spare.wire.end();
    // The oldest lie at the bottom, for the last that came is the first to go.
    while ((this.#spares[0]?.age ?? 0) > OLD) this.#release(this.#spares.shift() as Spare);
    if (this.#spares.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
