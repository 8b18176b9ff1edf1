import type pg from 'pg';
import { UnavailableError } from '../../../ports/errors.ts';
import { pipelinedConnectionOf, type PipelinedConnection } from './connection.ts';
import { acquired, released, type Pooled } from '../pool.ts';

type Client = pg.Client & { readonly __knex__disposed?: unknown };

interface IdleConnection {
  readonly client: Client;
  readonly connection: PipelinedConnection;
  /** Sweeps since it was last used. */
  age: number;
}

/** Bounds for how long a transaction that has only read stays open. */
const SWEEP_INTERVAL_MS = 10;
/** Sweeps after which a connection goes back to the pool, which closes it in time. */
const MAX_AGE_SWEEPS = 100;

/**
 * Connections between two units of work. They are kept out of the pool, whose bookkeeping costs as much as a statement.
 * A transaction that has only read ends together with the next statement, not in a round trip of its own. One connection
 * is always left to the pool, because migrations take theirs from the pool directly.
 */
export class IdleConnections {
  readonly #pool: Pooled;
  readonly #maxIdle: number;
  readonly #idle: IdleConnection[] = [];
  #sweeper: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(pool: Pooled, size: number) {
    this.#pool = pool;
    this.#maxIdle = size - 1;
  }

  async use<T>(work: (connection: PipelinedConnection) => Promise<T>): Promise<T> {
    const used = this.#take() ?? (await this.#acquire());
    try {
      return await work(used.connection);
    } finally {
      this.#putBack(used);
    }
  }

  /** To be called before the pool is closed, which waits for every connection it has lent. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    for (const idle of this.#idle.splice(0)) this.#release(idle);
  }

  #take(): IdleConnection | undefined {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle?.client.__knex__disposed) return idle;
      this.#release(idle);
    }
  }

  async #acquire(): Promise<IdleConnection> {
    // A pool that is closed lets its callers wait for the whole timeout, and with them the end of the process.
    if (this.#isClosed) throw new UnavailableError('database', 'The database is closed.');
    const client = (await acquired(this.#pool)) as Client;
    return { client, connection: pipelinedConnectionOf(client), age: 0 };
  }

  #putBack(used: IdleConnection): void {
    const isAwaited = (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
    const isFull = this.#idle.length >= this.#maxIdle;
    if (isAwaited || isFull || this.#isClosed || used.client.__knex__disposed) {
      this.#release(used);
      return;
    }
    used.age = 0;
    this.#idle.push(used);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** Other users of the pool do not know of a transaction that is still to end. */
  #release({ client, connection }: IdleConnection): void {
    connection.flushEnd();
    // Fails only while the pool is being closed. Then no pool is left to release the connection to.
    released(this.#pool, client).catch(() => undefined);
  }

  #sweep(): void {
    for (const idle of this.#idle) if (idle.age++ > 0) idle.connection.flushEnd();
    // The oldest are first, because the last one put back is used first.
    while ((this.#idle[0]?.age ?? 0) > MAX_AGE_SWEEPS)
      this.#release(this.#idle.shift() as IdleConnection);
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
