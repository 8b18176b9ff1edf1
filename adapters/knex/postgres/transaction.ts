import { createHash } from 'node:crypto';
import { UnavailableError } from '../../../ports/errors.ts';
import type { GroupTransaction, TransactionDialect, UnitOutcome } from '../group-commit.ts';
import type { OpenSql } from '../sql.ts';
import type { PipelinedConnection } from './connection.ts';
import type { IdleConnections } from './idle-connections.ts';
import type { Command } from './pipeline-batch.ts';
import { PostgresSql } from './statements.ts';

const BEGIN: Command = [{ name: 'ow_begin', text: 'begin' }];
const LOCK = { name: 'ow_lock', text: 'select pg_advisory_xact_lock($1)' };
const COMMIT = { name: 'ow_commit', text: 'commit' };
const SAVEPOINT: Command = [{ name: 'ow_savepoint', text: 'savepoint unit' }];
const ROLLBACK_TO: Command = [{ name: 'ow_rollback_to', text: 'rollback to unit' }];

const MAX_UNITS_PER_COMMIT = 32;
/** Longer than on SQLite: only writes of the same owner wait, and a unit takes two round trips. */
const MAX_GROUP_MS = 10;

/**
 * READ COMMITTED loses updates, so writes of one owner run one after the other: in this process by their queue, among
 * processes by an advisory lock that the transaction holds.
 */
export class PostgresTransactionDialect implements TransactionDialect {
  readonly maxUnits = MAX_UNITS_PER_COMMIT;
  readonly maxGroupMs: number;
  readonly #connections: IdleConnections;

  constructor(connections: IdleConnections, maxGroupMs = MAX_GROUP_MS) {
    this.maxGroupMs = maxGroupMs;
    this.#connections = connections;
  }

  queueKey(owner: string): string {
    return owner;
  }

  async beforeGroup(): Promise<void> {
    // Writes that come while a group runs share the next one.
  }

  transaction(
    key: string,
    runGroup: (transaction: GroupTransaction) => Promise<void>,
  ): Promise<void> {
    return this.#connections.use((connection) =>
      runGroup(new PostgresTransaction(connection, [LOCK, lockNumber(key)])),
    );
  }
}

/** 64 bits of a digest. */
const lockNumber = (key: string): string =>
  createHash('sha256').update(key).digest().readBigInt64BE().toString();

/** Begins with the first statement of a unit, in the same batch. */
class PostgresTransaction implements GroupTransaction {
  readonly #connection: PipelinedConnection;
  readonly #lock: Command;
  #unit: PostgresSql | undefined;
  #hasBegun = false;
  #hasSavepoint = false;
  hasUnits = false;

  constructor(connection: PipelinedConnection, lock: Command) {
    this.#connection = connection;
    this.#lock = lock;
  }

  beginUnit(): OpenSql {
    this.#hasSavepoint = this.hasUnits;
    const opening = this.#hasSavepoint ? [SAVEPOINT] : [BEGIN, this.#lock];
    this.#unit = new PostgresSql(this.#connection, { opening, isDeferring: true });
    return this.#unit;
  }

  async endUnit(outcome: UnitOutcome, isLast: boolean): Promise<void> {
    const unit = this.#unit;
    if (!unit?.hasBegun) return;
    this.#hasBegun = true;
    if (isLast && outcome === 'commit' && !unit.hasFailed && !this.#connection.isBusy) {
      // Pending statements are sent in one batch with the commit.
      this.hasUnits = true;
      return;
    }
    // After an error the server skips the rest of a batch, so nothing may follow before every result is known.
    await this.#connection.drained();
    const isKept = outcome === 'commit' && !unit.hasFailed;
    // Savepoints nest, so none is released: at the commit all of them end.
    if (isKept) this.hasUnits = true;
    else if (this.#hasSavepoint) this.#connection.enqueueCommand(ROLLBACK_TO);
  }

  async commit(): Promise<void> {
    try {
      await this.#sendCommit();
    } catch (error) {
      // The changes of the last unit were sent with the commit. If they failed, the earlier units are still open.
      if (!this.#unit?.hasFailed) throw error;
      if (!this.#hasSavepoint) return this.rollback();
      this.#connection.enqueueCommand(ROLLBACK_TO);
      await this.#sendCommit();
    }
  }

  async #sendCommit(): Promise<void> {
    const { command } = await this.#connection.query(COMMIT);
    // Postgres answers a commit after a failed statement with a rollback and no error.
    if (command !== 'COMMIT')
      throw new UnavailableError('database', 'The server rolled back the transaction.');
  }

  async rollback(): Promise<void> {
    if (this.#hasBegun) await this.#connection.rollback();
  }
}
