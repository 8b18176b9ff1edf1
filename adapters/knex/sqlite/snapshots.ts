import type BetterSqlite3 from 'better-sqlite3';
import { toPortError } from '../errors.ts';
import { runSync } from './statements.ts';
import { acquired, released, type Pooled } from '../pool.ts';

type Connection = BetterSqlite3.Database;

/** A read transaction and its users. */
interface Snapshot {
  readonly opened: Promise<Connection>;
  /** Set when `opened` has resolved. */
  connection: Connection | undefined;
  /** Commits of this process when it was opened. */
  readonly commits: number;
  users: number;
  /** Accepts no new user, and ends with its last one. */
  isClosing: boolean;
  isEnded: boolean;
}

/** Commits to all databases of this process, because a file may be open twice. */
let commits = 0;

/** To be called after every commit, so that the next read sees it. */
export const invalidateSnapshots = (): void => void commits++;

/**
 * Read transactions of a SQLite file, each shared by all reads that begin before the event loop calls back again. A
 * transaction costs as much as several queries, most of it for locks on the file. A snapshot may not last a whole
 * iteration of the event loop: between its timers and its sockets another process may commit and inform a client, which
 * then reads. A commit of this process begins a new snapshot. A long read keeps the snapshot that it began with.
 */
export class Snapshots {
  readonly #pool: Pooled;
  #current: Snapshot | undefined;
  /** The connection of the last snapshot, for the next one: the pool's bookkeeping costs as much as a query. */
  #idle: Connection | undefined;
  #isClosed = false;

  constructor(pool: Pooled) {
    this.#pool = pool;
  }

  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const snapshot = this.#join();
    try {
      return await work(snapshot.connection ?? (await snapshot.opened));
    } finally {
      snapshot.users -= 1;
      if (snapshot.isClosing) await this.#endUnused(snapshot);
    }
  }

  /** To be called before the pool is closed, which waits for every connection it has lent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = undefined;
    if (idle) await released(this.#pool, idle);
  }

  #join(): Snapshot {
    const current = this.#current;
    if (current?.commits === commits) {
      current.users += 1;
      return current;
    }
    if (current) this.#scheduleClose(current);
    const fresh: Snapshot = {
      opened: this.#open(),
      connection: undefined,
      commits,
      users: 1,
      isClosing: false,
      isEnded: false,
    };
    this.#current = fresh;
    fresh.opened.then(
      (connection) => {
        fresh.connection = connection;
        // Scheduled in a microtask, so it runs when no microtask is left.
        process.nextTick(() => this.#scheduleClose(fresh));
      },
      // Its users get the error. The next read opens another snapshot.
      () => this.#forget(fresh),
    );
    return fresh;
  }

  async #open(): Promise<Connection> {
    const idle = this.#idle;
    this.#idle = undefined;
    const connection = idle ?? ((await acquired(this.#pool)) as Connection);
    try {
      runSync(connection, 'begin');
      return connection;
    } catch (error) {
      await released(this.#pool, connection);
      throw toPortError(error);
    }
  }

  #forget(snapshot: Snapshot): void {
    if (this.#current === snapshot) this.#current = undefined;
  }

  /** Runs without a caller. Fails only while the pool is being closed. Then no pool is left to release to. */
  #scheduleClose(snapshot: Snapshot): void {
    this.#close(snapshot).catch(() => undefined);
  }

  async #close(snapshot: Snapshot): Promise<void> {
    this.#forget(snapshot);
    snapshot.isClosing = true;
    await this.#endUnused(snapshot);
  }

  async #endUnused(snapshot: Snapshot): Promise<void> {
    if (!snapshot.isClosing || snapshot.users > 0 || snapshot.isEnded) return;
    // Set before the first await: the end of the tick and the last reader may both come here.
    snapshot.isEnded = true;
    const connection = await snapshot.opened.catch(() => undefined);
    if (!connection) return;
    try {
      if (connection.inTransaction) runSync(connection, 'commit');
    } catch (error) {
      // Nothing was written. The pool closes a connection that cannot end a read transaction.
      Object.assign(connection, { __knex__disposed: error });
      return released(this.#pool, connection);
    }
    const awaited = (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
    if (this.#idle || this.#isClosed || awaited) await released(this.#pool, connection);
    else this.#idle = connection;
  }
}
