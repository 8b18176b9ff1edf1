import { createHash } from 'node:crypto';
import knexModule, { type Knex } from 'knex';
import type pg from 'pg';
import { ACQUIRE_MS, quiet, type Database } from './database.ts';
import { Connections } from './postgres-connections.ts';
import { PostgresUnits } from './postgres-units.ts';
import { Turns } from './turns.ts';
import { poolOf } from './units.ts';

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
  const lent = new Connections(poolOf(knex), connections);
  const units = new PostgresUnits(lent);
  return {
    dialect: 'postgres',
    knex,
    look: (work) => units.look(work),
    read: (work) => units.read(work),
    // Waiting here first: a busy owner would otherwise fill the pool with connections that wait for the lock.
    write: (turn, work) => turns.take(turn, () => units.write(lockNumber(turn), work)),
    close: async () => {
      lent.close();
      await knex.destroy();
    },
  };
}

/** 64 bits of a digest. */
const lockNumber = (turn: string): string =>
  createHash('sha256').update(turn).digest().readBigInt64BE().toString();
