import type { WriteSize } from '../../ports/unit-of-work.ts';
import { toPortError } from './errors.ts';
import { withSql } from './pool.ts';
import type { OpenSql, Sql } from './sql.ts';
import { WriteQueue, type WaitingWrite } from './write-queue.ts';

export type UnitOutcome = 'commit' | 'rollback';

/** What group commit needs to know of a database. */
export interface TransactionDialect {
  readonly maxUnits: number;
  /** How long a group accepts another unit after it has begun. */
  readonly maxGroupMs: number;
  /** Writes with the same key share commits and never run concurrently in this process. */
  queueKey(owner: string): string;
  /** Waits until the writes that belong to the next group have joined the queue. */
  beforeGroup(): Promise<void>;
  /** Begins a transaction for `runGroup`, which ends it. Rejects when a transaction cannot begin. */
  transaction(
    key: string,
    runGroup: (transaction: GroupTransaction) => Promise<void>,
  ): Promise<void>;
}

/** One transaction of several units of work, which run one after the other. */
export interface GroupTransaction {
  /** Whether the transaction contains a unit to be committed. */
  readonly hasUnits: boolean;
  /** The statements of the next unit, which gets a savepoint if an earlier unit is to be committed. */
  beginUnit(): OpenSql;
  /**
   * Decides on the changes of the current unit, and rolls them back if one of them failed. Changes of the last unit may
   * be sent with the commit. Rejects when the database has ended the transaction.
   */
  endUnit(outcome: UnitOutcome, isLast: boolean): void | Promise<void>;
  /** Resolves when every unit is durable, except a last one that failed. */
  commit(): Promise<void>;
  /** Never rejects: a connection that cannot roll back is discarded. */
  rollback(): Promise<void>;
}

/** The right of one unit of work to run in a transaction. */
interface GroupSlot {
  readonly sql: OpenSql;
  /** Called once. The next unit begins after it. */
  end(outcome: UnitOutcome): void;
  /** Resolves when the group is durable. Rejects when nothing of it was committed. */
  readonly committed: Promise<void>;
}

/**
 * Runs the writes of one process one after the other, and those that wait already in one transaction, because a commit
 * syncs the disk and costs more than most units of work. No write waits for others to come.
 *
 * No caller gets a response before the commit. This includes errors: an error may reveal data written by another unit
 * of the group.
 */
export class GroupCommit {
  readonly #dialect: TransactionDialect;
  readonly #queues = new Map<string, WriteQueue<GroupSlot>>();

  constructor(dialect: TransactionDialect) {
    this.#dialect = dialect;
  }

  async write<T>(
    owner: string,
    work: (sql: Sql) => Promise<T>,
    size: WriteSize = 'small',
  ): Promise<T> {
    const slot = await this.#queueOf(this.#dialect.queueKey(owner)).join(size);
    let result: T;
    try {
      result = await withSql(slot.sql, work);
    } catch (error) {
      slot.end('rollback');
      await slot.committed;
      throw error;
    }
    slot.end('commit');
    await slot.committed;
    // A change that the work did not wait for may have failed.
    if (slot.sql.failure) throw slot.sql.failure.reason;
    return result;
  }

  #queueOf(key: string): WriteQueue<GroupSlot> {
    const existing = this.#queues.get(key);
    if (existing) return existing;
    const queue: WriteQueue<GroupSlot> = new WriteQueue(
      async () => {
        await this.#dialect.beforeGroup();
        await queue.runForWaiting(() =>
          this.#dialect.transaction(key, (transaction) => this.#commitGroup(queue, transaction)),
        );
      },
      () => this.#queues.delete(key),
    );
    this.#queues.set(key, queue);
    return queue;
  }

  /** Never rejects: each unit of the group gets the error. */
  async #commitGroup(queue: WriteQueue<GroupSlot>, transaction: GroupTransaction): Promise<void> {
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>();
    committed.catch(() => undefined);
    try {
      await this.#runUnits(queue, transaction, committed);
      if (transaction.hasUnits) await transaction.commit();
      else await transaction.rollback();
      resolve();
    } catch (error) {
      await transaction.rollback();
      reject(toPortError(error));
    }
  }

  async #runUnits(
    queue: WriteQueue<GroupSlot>,
    transaction: GroupTransaction,
    committed: Promise<void>,
  ): Promise<void> {
    const deadline = performance.now() + this.#dialect.maxGroupMs;
    const mayJoin = (next: WaitingWrite<GroupSlot>) =>
      next.size === 'small' && performance.now() <= deadline;
    for (let started = 1; started <= this.#dialect.maxUnits; started++) {
      const unit = queue.first();
      if (!unit) return;
      // A unit whose savepoint fails stays in the queue, and begins the next group.
      const sql = transaction.beginUnit();
      queue.take(unit);
      const outcome = await new Promise<UnitOutcome>((end) => unit.begin({ sql, end, committed }));
      const next = queue.first();
      const isLast =
        unit.size === 'large' || started === this.#dialect.maxUnits || !next || !mayJoin(next);
      await transaction.endUnit(outcome, isLast);
      // Without an earlier unit there is no savepoint, so a failed unit ends the group.
      if (isLast || !transaction.hasUnits) return;
    }
  }
}
