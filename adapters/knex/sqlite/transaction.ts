import { setImmediate as endOfTick } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { UnavailableError } from '../../../ports/errors.ts';
import type { GroupTransaction, TransactionDialect, UnitOutcome } from '../group-commit.ts';
import { acquired, released, type Pooled } from '../pool.ts';
import type { OpenSql } from '../sql.ts';
import { invalidateSnapshots } from './snapshots.ts';
import { retryWhileBusy, runSync, sqliteSql } from './statements.ts';

type Connection = BetterSqlite3.Database;

const MAX_UNITS_PER_COMMIT = 64;
/** All other writes wait meanwhile, those of other processes as well. */
const MAX_GROUP_MS = 5;

/** SQLite has one writer for all owners, so all writes of the process share one queue. */
export class SqliteTransactionDialect implements TransactionDialect {
  readonly maxUnits = MAX_UNITS_PER_COMMIT;
  readonly maxGroupMs: number;
  readonly #pool: Pooled;
  readonly #lockWaitMs: number;

  /** `lockWaitMs` is how long a group waits for another process that holds the write lock. */
  constructor(pool: Pooled, lockWaitMs: number, maxGroupMs = MAX_GROUP_MS) {
    this.maxGroupMs = maxGroupMs;
    this.#pool = pool;
    this.#lockWaitMs = lockWaitMs;
  }

  queueKey(): string {
    return '';
  }

  /**
   * Waits one event-loop tick so that concurrent writes share the commit and open readers finish first. A reader that is
   * still open keeps SQLite from moving committed pages out of its log.
   */
  beforeGroup(): Promise<void> {
    return endOfTick();
  }

  async transaction(
    _key: string,
    runGroup: (transaction: GroupTransaction) => Promise<void>,
  ): Promise<void> {
    const connection = (await acquired(this.#pool)) as Connection;
    try {
      await retryWhileBusy(this.#lockWaitMs, () => runSync(connection, 'begin immediate'));
      await runGroup(new SqliteTransaction(connection, this.#lockWaitMs));
    } finally {
      await released(this.#pool, connection);
    }
  }
}

class SqliteTransaction implements GroupTransaction {
  readonly #connection: Connection;
  readonly #lockWaitMs: number;
  #hasSavepoint = false;
  hasUnits = false;

  constructor(connection: Connection, lockWaitMs: number) {
    this.#connection = connection;
    this.#lockWaitMs = lockWaitMs;
  }

  beginUnit(): OpenSql {
    this.#hasSavepoint = this.hasUnits;
    if (this.#hasSavepoint) runSync(this.#connection, 'savepoint unit');
    return sqliteSql(this.#connection, this.#lockWaitMs);
  }

  endUnit(outcome: UnitOutcome): void {
    // A full disk, for example, rolls back the whole transaction.
    if (!this.#connection.inTransaction)
      throw new UnavailableError('database', 'The database rolled back the transaction.');
    if (this.#hasSavepoint) {
      if (outcome === 'rollback') runSync(this.#connection, 'rollback to unit');
      // SQLite tracks changed pages for every open savepoint.
      runSync(this.#connection, 'release unit');
    }
    if (outcome === 'commit') this.hasUnits = true;
  }

  async commit(): Promise<void> {
    runSync(this.#connection, 'commit');
    invalidateSnapshots();
  }

  async rollback(): Promise<void> {
    try {
      if (this.#connection.inTransaction) runSync(this.#connection, 'rollback');
    } catch (error) {
      // The pool closes a connection with this mark.
      Object.assign(this.#connection, { __knex__disposed: error });
    }
  }
}
