import knexModule, { type Knex } from 'knex';
import type pg from 'pg';
import { ACQUIRE_TIMEOUT_MS, silentLogger, type Database } from '../database.ts';
import { IdleConnections } from './idle-connections.ts';
import { PostgresReads } from './reads.ts';
import { PostgresTransactionDialect } from './transaction.ts';
import { GroupCommit } from '../group-commit.ts';
import { poolOf } from '../pool.ts';

/**
 * Postgres: 64-bit integers and sums arrive as numbers, because all values of the service stay below 2^53. `maxGroupMs`
 * is how long a group of writes accepts another unit.
 */
export function openPostgres(url: string, connections = 10, maxGroupMs?: number): Database {
  const numeric = new Set([20, 1700]);
  const knex = knexModule({
    client: 'pg',
    connection: {
      connectionString: url,
      statement_timeout: 30_000,
      lock_timeout: ACQUIRE_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      types: {
        getTypeParser: (oid: number, format: 'text' | 'binary') =>
          numeric.has(oid) ? Number : (driverTypes().getTypeParser(oid, format as 'text') as never),
      },
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silentLogger,
    pool: { min: 0, max: connections },
  });
  const driverTypes = () => (knex.client as { driver: { types: typeof pg.types } }).driver.types;
  const idle = new IdleConnections(poolOf(knex), connections);
  const reads = new PostgresReads(idle);
  const writes = new GroupCommit(new PostgresTransactionDialect(idle, maxGroupMs));
  return {
    dialect: 'postgres',
    knex,
    queryOnce: (work) => reads.queryOnce(work),
    read: (work) => reads.read(work),
    write: (turn, work, size) => writes.write(turn, work, size),
    close: async () => {
      idle.close();
      await knex.destroy();
    },
  };
}
