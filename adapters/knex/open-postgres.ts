import { createHash } from 'node:crypto';
import knexModule, { type Knex } from 'knex';
import type pg from 'pg';
import { ACQUIRE_MS, quiet, type Database } from './database.ts';
import { ask, postgresSql } from './postgres.ts';
import type { Sql } from './sql.ts';
import { Turns } from './turns.ts';
import { lent, withSql, within, type Kind } from './units.ts';

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
