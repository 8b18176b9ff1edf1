import { createHash } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import knexModule, { type Knex } from 'knex';
import type pg from 'pg';
import { ask, postgresSql } from './postgres.ts';
import type { Sql } from './sql.ts';
import { execute, patiently, sqliteSql } from './sqlite.ts';
import { Turns } from './turns.ts';
import { noteCommit, Snapshots } from './snapshots.ts';
import { lent, poolOf, withSql, within, type Kind } from './units.ts';

const ACQUIRE_MS = 10_000;

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
  readonly write: <T>(turn: string, work: (sql: Sql) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface SqliteOptions {
  readonly readers?: number;
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  readonly lockWaitMs?: number;
}

/**
 * SQLite: one writer and separate read-only connections, so that a reader never waits for an open write unit. The
 * busy timeout is nought on purpose: better-sqlite3 would sit it out with the whole process.
 */
export function openSqlite(filename: string, options: SqliteOptions = {}): Database {
  const { readers = 4, lockWaitMs = ACQUIRE_MS } = options;
  const pool = (readonly: boolean, max: number) =>
    knexModule({
      client: 'better-sqlite3',
      connection: { filename, options: { readonly } },
      useNullAsDefault: true,
      acquireConnectionTimeout: ACQUIRE_MS,
      log: quiet,
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
  const kind: Kind<BetterSqlite3.Database> = {
    sql: (connection) => sqliteSql(connection, lockWaitMs),
    commit: async (connection) => {
      execute(connection, 'commit');
      noteCommit();
    },
    rollback: async (connection) => {
      // A full disk ends the transaction by itself.
      if (connection.inTransaction) execute(connection, 'rollback');
    },
  };
  const beginWrite = (connection: BetterSqlite3.Database) =>
    patiently(lockWaitMs, () => execute(connection, 'begin immediate'));
  const read: Database['read'] = (work) =>
    snapshots.read((connection) => withSql(kind.sql(connection), work));
  return {
    dialect: 'sqlite',
    knex: writer,
    look: read,
    read,
    write: (_turn, work) => within(writer, kind, beginWrite, work),
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
    // Turning a fresh file to WAL needs the lock, which a process starting beside this one may hold.
    await patiently(lockWaitMs, () => connection.pragma('journal_mode = WAL'));
    connection.pragma('synchronous = FULL');
  }
  connection.pragma('foreign_keys = ON');
  connection.pragma('temp_store = MEMORY');
  connection.pragma('cache_size = -16000');
}

/** Postgres: whole numbers of 64 bits and sums arrive as numbers; all of ours stay below 2^53. */
export function openPostgres(url: string, connections = 10): Database {
  const numeric = new Set([20, 1700]);
  const knex = knexModule({
    client: 'pg',
    connection: {
      connectionString: url,
      statement_timeout: 30_000,
      lock_timeout: ACQUIRE_MS,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      types: {
        getTypeParser: (oid: number, format: 'text' | 'binary') =>
          numeric.has(oid) ? Number : (driverTypes().getTypeParser(oid, format as 'text') as never),
      },
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: ACQUIRE_MS,
    log: quiet,
    pool: { min: 0, max: connections },
  });
  const driverTypes = () => (knex.client as { driver: { types: typeof pg.types } }).driver.types;
  const turns = new Turns();
  const kind: Kind<pg.ClientBase> = {
    sql: postgresSql,
    commit: async (connection) => {
      const answer = (await ask(connection, 'commit')) as pg.QueryResult;
      // Postgres answers a commit after a failed statement with a rollback and no error.
      if (answer.command !== 'COMMIT')
        throw new Error('The unit of work went on after a statement of it had failed.');
    },
    rollback: async (connection) => void (await ask(connection, 'rollback')),
  };
  const beginRead = async (connection: pg.ClientBase) =>
    void (await ask(connection, 'begin isolation level repeatable read read only'));
  // READ COMMITTED loses updates; writes of one owner take turns instead.
  const beginWrite = (turn: string) => async (connection: pg.ClientBase) =>
    void (await ask(connection, `begin; select pg_advisory_xact_lock(${lockNumber(turn)})`));
  return {
    dialect: 'postgres',
    knex,
    look: <T>(work: (sql: Sql) => Promise<T>) =>
      lent<pg.ClientBase, T>(knex, (connection) => withSql(kind.sql(connection), work)),
    read: (work) => within(knex, kind, beginRead, work),
    // Waiting here first: a busy owner would otherwise fill the pool with connections that wait for the lock.
    write: (turn, work) => turns.take(turn, () => within(knex, kind, beginWrite(turn), work)),
    close: () => knex.destroy(),
  };
}

/** 64 bits of a digest, as an SQL literal. */
const lockNumber = (turn: string): string =>
  createHash('sha256').update(turn).digest().readBigInt64BE().toString();

/** knex warns of every connection that was lost; whoever used it is told by a PortFailure. */
const quiet = { warn: () => undefined };
