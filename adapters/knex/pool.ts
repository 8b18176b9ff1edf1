import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';
import { UnavailableError } from '../../ports/errors.ts';
import { postgresSql } from './postgres/statements.ts';
import { sqliteSql } from './sqlite/statements.ts';
import { toPortError } from './errors.ts';
import type { OpenSql, Sql } from './sql.ts';

const MAX_WAITING = 2_000;

export interface Pooled {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
  readonly pool?: { numPendingAcquires(): number };
}

export const poolOf = (knex: Knex): Pooled => knex.client as Pooled;

/** Statements on the connection of a transaction of knex, which still owns it. */
export async function transactionSql(trx: Knex.Transaction, dialect: Sql['dialect']): Promise<Sql> {
  const connection = await poolOf(trx).acquireConnection();
  return dialect === 'sqlite'
    ? sqliteSql(connection as BetterSqlite3.Database, 0)
    : postgresSql(connection as pg.Client);
}

/** A connection of the pool. The wait and the number of waiting callers are bounded. */
export async function acquired(pool: Pooled): Promise<unknown> {
  if ((pool.pool?.numPendingAcquires() ?? 0) >= MAX_WAITING)
    throw new UnavailableError('database', 'Too many requests wait for the database.');
  return pool.acquireConnection().catch((error: unknown) => {
    throw toPortError(error);
  });
}

export const released = (pool: Pooled, connection: unknown): Promise<void> =>
  pool.releaseConnection(connection);

/** Runs `work` with statements that reject once it has settled. */
export async function withSql<T>(open: OpenSql, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await work(open);
  } finally {
    open.end();
  }
}
