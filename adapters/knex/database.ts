import type { Knex } from 'knex';
import type { WriteSize } from '../../ports/unit-of-work.ts';
import type { Sql } from './sql.ts';

/** A database of either kind: pools by knex, one connection for each unit of work, transactions by hand. */
export interface Database {
  readonly dialect: Sql['dialect'];
  /** For migrations only; nothing else goes past `look`, `read` and `write`. */
  readonly knex: Knex;
  /** Single reading statements, each for itself: two of them may see different states. */
  readonly look: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** One snapshot from the first look to the last. */
  readonly read: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Commits when `work` resolves. Writes that name the same `turn` follow one another. */
  readonly write: <T>(turn: string, work: (sql: Sql) => Promise<T>, size?: WriteSize) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** knex warns of every connection that was lost; whoever used it is told by a PortFailure. */
export const quiet = { warn: () => undefined };

/** How long a unit of work waits for a connection of the pool, and for a lock that somebody else holds. */
export const ACQUIRE_MS = 10_000;
