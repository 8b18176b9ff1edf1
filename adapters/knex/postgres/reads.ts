import { PostgresSql } from './statements.ts';
import type { Command } from './pipeline-batch.ts';
import type { Connections } from './idle-connections.ts';
import type { Wire } from './connection.ts';
import type { Sql } from '../sql.ts';
import { withSql } from '../pool.ts';

const READ: readonly Command[] = [
  [{ name: 'ow_begin_read', text: 'begin isolation level repeatable read read only' }],
];

/** As many look-ups share a trip at most. */
const MOST_TOGETHER = 32;

type Work<T> = (sql: Sql) => Promise<T>;

interface Look {
  readonly run: (wire: Wire) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** What is read from Postgres. A transaction begins with its first statement; a unit that asks for nothing has none. */
export class PostgresReads {
  readonly #connections: Connections;
  #looks: Look[] = [];

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Look-ups of one turn share a connection, and travel together: every request begins with one. */
  look<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, fail) => {
      const run = (wire: Wire) =>
        withSql(new PostgresSql(wire, { bundle: { undo: () => [] } }), work).then(resolve, fail);
      if (this.#looks.length === MOST_TOGETHER) this.#lookTogether();
      if (this.#looks.push({ run, fail }) === 1) process.nextTick(() => this.#lookTogether());
    });
  }

  #lookTogether(): void {
    const looks = this.#looks;
    if (looks.length === 0) return;
    this.#looks = [];
    this.#connections
      .lend((wire) => Promise.all(looks.map(({ run }) => run(wire))))
      .catch((error: unknown) => looks.forEach(({ fail }) => fail(error)));
  }

  read<T>(work: Work<T>): Promise<T> {
    return this.#connections.lend(async (wire) => {
      const sql = new PostgresSql(wire, { opening: READ });
      try {
        const result = await withSql(sql, work);
        if (sql.failure) throw sql.failure.reason;
        return result;
      } finally {
        if (sql.begun) await endRead(wire, sql.failed);
      }
    });
  }
}

/**
 * Nobody has to wait for the end of what has only read, unless statements are under way that nobody waited for, or the
 * connection may be lost.
 */
async function endRead(wire: Wire, failed: boolean): Promise<void> {
  if (wire.idle && !failed) wire.endLater();
  else await wire.takeBack();
}
