import type BetterSqlite3 from 'better-sqlite3';
import knexModule from 'knex';
import { ACQUIRE_TIMEOUT_MS, silentLogger, type Database } from '../database.ts';
import { Snapshots } from './snapshots.ts';
import { retryWhileBusy, sqliteSql } from './statements.ts';
import type { Sql } from '../sql.ts';
import { poolOf, withSql } from '../pool.ts';
import { SqliteTransactionDialect } from './transaction.ts';
import { GroupCommit } from '../group-commit.ts';

export interface SqliteOptions {
  readonly readers?: number;
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  readonly lockWaitMs?: number;
  /** How long a group of writes accepts another unit, in milliseconds. */
  readonly maxGroupMs?: number;
  /** Resolves when a long read may continue. Writes continue in the next tick, because others wait for their lock. */
  readonly yieldSlice?: Sql['yield'];
}

/**
 * SQLite: one writer and separate read-only connections, so that a reader never waits for an open write unit. The busy
 * timeout is zero, because better-sqlite3 would block the process while it waits.
 */
export function openSqlite(filename: string, options: SqliteOptions = {}): Database {
  const { readers = 4, lockWaitMs = ACQUIRE_TIMEOUT_MS, maxGroupMs, yieldSlice } = options;
  const pool = (readonly: boolean, max: number) =>
    knexModule({
      client: 'better-sqlite3',
      connection: { filename, options: { readonly } },
      useNullAsDefault: true,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      log: silentLogger,
      pool: {
        min: 0,
        max,
        idleTimeoutMillis: 300_000,
        afterCreate: (connection: BetterSqlite3.Database, done: (error?: unknown) => void) =>
          void configure(connection, readonly, lockWaitMs).then(() => done(), done),
      },
    });
  const writer = pool(false, 1);
  const reader = pool(true, readers);
  const snapshots = new Snapshots(poolOf(reader));
  const writes = new GroupCommit(
    new SqliteTransactionDialect(poolOf(writer), lockWaitMs, maxGroupMs),
  );
  const read: Database['read'] = (work) =>
    snapshots.read((connection) => withSql(sqliteSql(connection, lockWaitMs, yieldSlice), work));
  return {
    dialect: 'sqlite',
    knex: writer,
    queryOnce: read,
    read,
    write: (lockKey, work, size) => writes.write(lockKey, work, size),
    close: async () => {
      await snapshots.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

async function configure(
  connection: BetterSqlite3.Database,
  readonly: boolean,
  lockWaitMs: number,
): Promise<void> {
  connection.pragma('busy_timeout = 0');
  if (!readonly) {
    // Switching a new file to WAL needs the lock, which another starting process may hold.
    await retryWhileBusy(lockWaitMs, () => connection.pragma('journal_mode = WAL'));
    connection.pragma('synchronous = FULL');
  }
  connection.pragma('foreign_keys = ON');
  connection.pragma('temp_store = MEMORY');
  connection.pragma('cache_size = -16000');
}
