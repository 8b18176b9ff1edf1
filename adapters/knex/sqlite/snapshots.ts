import type BetterSqlite3 from 'better-sqlite3';
import { translated } from '../errors.ts';
import { runSync } from './statements.ts';
import { acquired, released, type Pooled } from '../pool.ts';

type Connection = BetterSqlite3.Database;

/** A reading transaction and those who read in it. */
interface Snapshot {
  readonly opened: Promise<Connection>;
  /** From then on. */
  connection: Connection | undefined;
  /** Commits of this process when it was opened. */
  readonly commits: number;
  users: number;
  /** Nobody new comes in; with its last user it ends. */
  over: boolean;
  ended: boolean;
}

/** Of every database in this process: a file may be open twice. */
let commits = 0;

/** To be called after every commit, so that the next read sees it. */
export const invalidateSnapshots = (): void => void commits++;

/**
 * Snapshots of a SQLite file that are shared by all who begin to read before the event loop calls back anew: the looks
 * and reads of the requests that came in one of its turns. A transaction costs as much as several look-ups, most of it for locks on the file, and until
 * the next call nobody can have heard of a commit but of one of this process, which begins a new snapshot. A whole turn
 * of the loop would be too long: between its timers and its sockets another process may commit and tell somebody who
 * then asks. Whoever reads for longer keeps what he began with.
 */
export class Snapshots {
  readonly #pool: Pooled;
  #current: Snapshot | undefined;
  /** The connection of the last one, for the next: the pool's book-keeping costs as much as a look-up. */
  #spare: Connection | undefined;
  #closed = false;

  constructor(pool: Pooled) {
    this.#pool = pool;
  }

  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const snapshot = this.#join();
    try {
      return await work(snapshot.connection ?? (await snapshot.opened));
    } finally {
      snapshot.users -= 1;
      if (snapshot.over) await this.#endUnused(snapshot);
    }
  }

  /** Before the pool is closed, which waits for everything it has lent. */
  async close(): Promise<void> {
    this.#closed = true;
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare) await released(this.#pool, spare);
  }

  #join(): Snapshot {
    const current = this.#current;
    if (current?.commits === commits) {
      current.users += 1;
      return current;
    }
    if (current) this.#closeLater(current);
    const fresh: Snapshot = {
      opened: this.#open(),
      connection: undefined,
      commits,
      users: 1,
      over: false,
      ended: false,
    };
    this.#current = fresh;
    fresh.opened.then(
      (connection) => {
        fresh.connection = connection;
        // Said in a promise's turn, so it comes when no promise has anything left to do.
        process.nextTick(() => this.#closeLater(fresh));
      },
      // Those who wait for it are told; the next one tries anew.
      () => this.#forget(fresh),
    );
    return fresh;
  }

  async #open(): Promise<Connection> {
    const spare = this.#spare;
    this.#spare = undefined;
    const connection = spare ?? ((await acquired(this.#pool)) as Connection);
    try {
      runSync(connection, 'begin');
      return connection;
    } catch (error) {
      await released(this.#pool, connection);
      throw translated(error);
    }
  }

  #forget(snapshot: Snapshot): void {
    if (this.#current === snapshot) this.#current = undefined;
  }

  /** Runs without a caller. Fails only while the pool is being closed. Then no pool is left to release to. */
  #closeLater(snapshot: Snapshot): void {
    this.#close(snapshot).catch(() => undefined);
  }

  async #close(snapshot: Snapshot): Promise<void> {
    this.#forget(snapshot);
    snapshot.over = true;
    await this.#endUnused(snapshot);
  }

  async #endUnused(snapshot: Snapshot): Promise<void> {
    if (!snapshot.over || snapshot.users > 0 || snapshot.ended) return;
    // Said at once: the end of the turn and the last reader may come here one after the other.
    snapshot.ended = true;
    const connection = await snapshot.opened.catch(() => undefined);
    if (!connection) return;
    try {
      if (connection.inTransaction) runSync(connection, 'commit');
    } catch (error) {
      // Nothing was written; a connection that can not even end a reading is given up.
      Object.assign(connection, { __knex__disposed: error });
      return released(this.#pool, connection);
    }
    const awaited = (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
    if (this.#spare || this.#closed || awaited) await released(this.#pool, connection);
    else this.#spare = connection;
  }
}
