import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';
import { PortFailure } from '../../ports/failures.ts';
import { postgresSql } from './postgres/statements.ts';
import { sqliteSql } from './sqlite/statements.ts';
import { translated } from './errors.ts';
import type { OpenSql, Sql } from './sql.ts';

const MOST_WAITING = 2_000;

/** What a unit of work needs to know of one kind of connection. */
export interface Kind<Connection> {
  sql(connection: Connection): OpenSql;
  commit(connection: Connection): Promise<void>;
  rollback(connection: Connection): Promise<void>;
}

export interface Pooled {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
  readonly pool?: { numPendingAcquires(): number };
}

/** Runs `work` on one connection of the pool, without a transaction. */
async function lent<Connection extends object, T>(
  knex: Knex,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const pool = poolOf(knex);
  const connection = (await acquired(pool)) as Connection;
  try {
    return await work(connection);
  } finally {
    await released(pool, connection);
  }
}

export const poolOf = (knex: Knex): Pooled => knex.client as Pooled;

/** Statements on the connection of one of knex's own transactions, which keeps it. */
export async function transactionSql(trx: Knex.Transaction, dialect: Sql['dialect']): Promise<Sql> {
  const connection = await poolOf(trx).acquireConnection();
  return dialect === 'sqlite'
    ? sqliteSql(connection as BetterSqlite3.Database, 0)
    : postgresSql(connection as pg.Client);
}

/** A connection of the pool, for a bounded time and a bounded crowd. */
export async function acquired(pool: Pooled): Promise<unknown> {
  if ((pool.pool?.numPendingAcquires() ?? 0) >= MOST_WAITING)
    throw new PortFailure('database', 'Too many requests wait for the database.');
  return pool.acquireConnection().catch((error: unknown) => {
    throw translated(error);
  });
}

export const released = (pool: Pooled, connection: unknown): Promise<void> =>
  pool.releaseConnection(connection);

/** Runs `work` with statements on the connection, which reject once it has settled. */
export async function withSql<T>(open: OpenSql, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await work(open);
  } finally {
    open.end();
  }
}

/** One transaction around `work`. An error of the work itself goes to the caller as it is. */
export function within<Connection extends object, T>(
  knex: Knex,
  kind: Kind<Connection>,
  begin: (connection: Connection) => Promise<void>,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return lent<Connection, T>(knex, async (connection) => {
    try {
      await begin(connection);
      const result = await withSql(kind.sql(connection), toldApart(work));
      await kind.commit(connection);
      return result;
    } catch (error) {
      await takeBack(kind, connection);
      throw error instanceof WorkFailed ? error.cause : translated(error);
    }
  });
}

class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
}

/** Keeps an error of the work apart from those of the transaction, whose words may mean an outage. */
const toldApart =
  <T>(work: (sql: Sql) => Promise<T>) =>
  async (sql: Sql): Promise<T> => {
    try {
      return await work(sql);
    } catch (cause) {
      throw new WorkFailed('The work rejected.', { cause });
    }
  };

/** A connection that cannot even roll back is marked, so that the pool lets go of it. */
async function takeBack<Connection extends object>(
  kind: Kind<Connection>,
  connection: Connection,
): Promise<void> {
  try {
    await kind.rollback(connection);
  } catch (error) {
    Object.assign(connection, { __knex__disposed: error });
  }
}
