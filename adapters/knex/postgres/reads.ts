import { PostgresSql } from './statements.ts';
import type { Command } from './pipeline-batch.ts';
import type { IdleConnections } from './idle-connections.ts';
import type { PipelinedConnection } from './connection.ts';
import type { Sql } from '../sql.ts';
import { withSql } from '../pool.ts';

const BEGIN_READ: readonly Command[] = [
  [{ name: 'ow_begin_read', text: 'begin isolation level repeatable read read only' }],
];

const MAX_LOOKUPS_PER_BATCH = 32;

type Work<T> = (sql: Sql) => Promise<T>;

interface Lookup {
  readonly run: (connection: PipelinedConnection) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** Reads of Postgres. A transaction begins with its first statement, so a unit without statements has none. */
export class PostgresReads {
  readonly #connections: IdleConnections;
  #lookups: Lookup[] = [];

  constructor(connections: IdleConnections) {
    this.#connections = connections;
  }

  /** Lookups of one event-loop tick share a connection and a batch, because every request begins with one. */
  queryOnce<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, fail) => {
      const run = (connection: PipelinedConnection) =>
        withSql(new PostgresSql(connection, { isIndependent: true }), work).then(resolve, fail);
      if (this.#lookups.length === MAX_LOOKUPS_PER_BATCH) this.#flushLookups();
      if (this.#lookups.push({ run, fail }) === 1) process.nextTick(() => this.#flushLookups());
    });
  }

  #flushLookups(): void {
    const lookups = this.#lookups;
    if (lookups.length === 0) return;
    this.#lookups = [];
    this.#connections
      .use((connection) => Promise.all(lookups.map(({ run }) => run(connection))))
      .catch((error: unknown) => lookups.forEach(({ fail }) => fail(error)));
  }

  read<T>(work: Work<T>): Promise<T> {
    return this.#connections.use(async (connection) => {
      const sql = new PostgresSql(connection, { opening: BEGIN_READ });
      try {
        const result = await withSql(sql, work);
        if (sql.failure) throw sql.failure.reason;
        return result;
      } finally {
        if (sql.hasBegun) await endRead(connection, sql.hasFailed);
      }
    });
  }
}

/**
 * A transaction that has only read may end later, unless a statement failed or has no result yet: the connection may be
 * lost then.
 */
async function endRead(connection: PipelinedConnection, hasFailed: boolean): Promise<void> {
  if (connection.isIdle && !hasFailed) connection.endWithNextBatch();
  else await connection.rollback();
}
