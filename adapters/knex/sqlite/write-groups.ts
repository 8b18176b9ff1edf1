import { setImmediate as endOfTurn } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { PortFailure } from '../../../ports/failures.ts';
import type { WriteSize } from '../../../ports/unit-of-work.ts';
import { translated } from '../errors.ts';
import { noteCommit } from './snapshots.ts';
import { execute, patiently } from './statements.ts';
import { acquired, released, type Pooled } from '../pool.ts';
import { WriteQueue } from '../write-queue.ts';

type Connection = BetterSqlite3.Database;

/** Units that share a commit, and for how long another one may begin in it. */
const MOST_TOGETHER = 64;
const LONGEST_MS = 5;

/** The right to write, which one unit has at a time. */
interface Turn {
  readonly connection: Connection;
  /** To be called once: what the unit wrote is kept or taken back, and the next one begins. */
  end(outcome: 'keep' | 'undo'): void;
  /** Resolves when everything of the group is durable. */
  readonly committed: Promise<void>;
}

/**
 * The writes of one process to a SQLite file, one after the other. Those that wait already are done in one transaction,
 * each within a savepoint of its own, because a commit costs more than most of what is committed: the file is synced.
 * Nobody waits for others to come, and nobody is answered before the commit, not even with a refusal, which may speak of
 * what another one of the group has written.
 */
export class WriteGroups {
  readonly #pool: Pooled;
  readonly #lockWaitMs: number;
  readonly #longestMs: number;
  readonly #queue = new WriteQueue<Turn>(() => this.#group());

  constructor(pool: Pooled, lockWaitMs: number, longestMs = LONGEST_MS) {
    this.#pool = pool;
    this.#lockWaitMs = lockWaitMs;
    this.#longestMs = longestMs;
  }

  async write<T>(
    work: (connection: Connection) => Promise<T>,
    size: WriteSize = 'small',
  ): Promise<T> {
    const turn = await this.#queue.join(size);
    let result: T;
    try {
      result = await work(turn.connection);
    } catch (error) {
      turn.end('undo');
      await turn.committed;
      throw error;
    }
    turn.end('keep');
    await turn.committed;
    return result;
  }

  async #group(): Promise<void> {
    // Who comes in the same turn of the event loop shares the commit, and who reads in it has ended by then: a reader
    // that is under way keeps SQLite from moving what is committed out of its log.
    await endOfTurn();
    await this.#queue.forThose(async () => {
      const connection = (await acquired(this.#pool)) as Connection;
      try {
        await patiently(this.#lockWaitMs, () => execute(connection, 'begin immediate'));
        await this.#together(connection);
      } finally {
        await released(this.#pool, connection);
      }
    });
  }

  /** Within a transaction that has begun. Whatever goes wrong is told to those who took part. */
  async #together(connection: Connection): Promise<void> {
    const until = performance.now() + this.#longestMs;
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>();
    // Whoever takes part hears of it himself.
    committed.catch(() => undefined);
    try {
      let kept = 0;
      for (let begun = 0; begun < MOST_TOGETHER; begun++) {
        const next = this.#queue.first();
        if (!next || (begun > 0 && (next.size === 'large' || performance.now() > until))) break;
        if (kept > 0) execute(connection, 'savepoint unit');
        this.#queue.take(next);
        const outcome = await new Promise((end) => next.begin({ connection, end, committed }));
        // A full disk ends the transaction by itself, for all of them.
        if (!connection.inTransaction)
          throw new PortFailure('database', 'The database gave up what was to be written.');
        // Before it nothing was written that is to be kept.
        if (outcome === 'undo' && kept === 0) break;
        if (outcome === 'undo') execute(connection, 'rollback to unit');
        if (kept > 0) execute(connection, 'release unit');
        if (outcome === 'keep') kept += 1;
        if (next.size === 'large') break;
      }
      if (kept > 0) {
        execute(connection, 'commit');
        noteCommit();
      } else undo(connection);
      resolve();
    } catch (error) {
      undo(connection);
      reject(translated(error));
    }
  }
}

/** A connection that cannot even roll back is marked, so that the pool lets go of it. */
function undo(connection: Connection): void {
  try {
    if (connection.inTransaction) execute(connection, 'rollback');
  } catch (error) {
    Object.assign(connection, { __knex__disposed: error });
  }
}
