import type { Knex } from 'knex';
import type { WriteSize } from '../../ports/unit-of-work.ts';
import type { Sql } from './sql.ts';

/** SQLite or Postgres: connection pools of knex, one connection for each unit of work, transactions without knex. */
export interface Database {
  readonly dialect: Sql['dialect'];
  /** For migrations only. Everything else uses `queryOnce`, `read` and `write`. */
  readonly knex: Knex;
  /** Single reading statements outside a transaction: two of them may see different states. */
  readonly queryOnce: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** All statements see one snapshot. */
  readonly read: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Commits when `work` resolves. Writes with the same `lockKey` run one after the other. */
  readonly write: <T>(
    lockKey: string,
    work: (sql: Sql) => Promise<T>,
    size?: WriteSize,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** knex would log every lost connection. The caller gets a UnavailableError instead. */
export const silentLogger = { warn: () => undefined };

/** How long a unit of work waits for a connection of the pool, and for a lock of another process. */
export const ACQUIRE_TIMEOUT_MS = 10_000;
