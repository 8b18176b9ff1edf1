import { translated } from './outages.ts';
import { PostgresSql, type Opening } from './postgres.ts';
import type { Connections } from './postgres-connections.ts';
import type { Wire } from './postgres-wire.ts';
import type { Sql } from './sql.ts';
import { withSql } from './units.ts';

const READ: readonly Opening[] = [
  [{ name: 'ow_begin_read', text: 'begin isolation level repeatable read read only' }],
];
const COMMIT = { name: 'ow_commit', text: 'commit' };
const ROLLBACK = { name: 'ow_rollback', text: 'rollback' };
const LOCK = { name: 'ow_lock', text: 'select pg_advisory_xact_lock($1)' };
// READ COMMITTED loses updates; writes of one owner take turns instead.
const writeOf = (lock: string): readonly Opening[] => [
  [{ name: 'ow_begin', text: 'begin' }],
  [LOCK, lock],
];

/** As many look-ups share a trip at most. */
const MOST_TOGETHER = 32;

type Work<T> = (sql: Sql) => Promise<T>;

interface Look {
  readonly run: (wire: Wire) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** Units of work on Postgres. A transaction begins with its first statement; a unit that asks for nothing has none. */
export class PostgresUnits {
  readonly #connections: Connections;
  #looks: Look[] = [];

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Look-ups of one turn share a connection, and travel together: every request begins with one. */
  look<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, fail) => {
      const run = (wire: Wire) =>
        withSql(new PostgresSql(wire, { apart: true }), work).then(resolve, fail);
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
        if (sql.failed) throw wentOn();
        return result;
      } finally {
        if (sql.begun) await endRead(wire, sql.failed);
      }
    });
  }

  write<T>(lock: string, work: Work<T>): Promise<T> {
    return this.#connections.lend(async (wire) => {
      const sql = new PostgresSql(wire, { opening: writeOf(lock), deferring: true });
      let result: T;
      try {
        result = await withSql(sql, work);
      } catch (error) {
        if (sql.begun) await takeBack(wire);
        throw error;
      }
      if (sql.begun) await commit(wire, sql);
      return result;
    });
  }
}

const wentOn = () => new Error('The unit of work went on after a statement of it had failed.');

/**
 * Nobody has to wait for the end of what has only read, unless statements are under way that nobody waited for, or the
 * connection may be lost.
 */
async function endRead(wire: Wire, failed: boolean): Promise<void> {
  if (wire.idle && !failed) wire.endLater();
  else await takeBack(wire);
}

/** On the same trip as the changes before it that nobody has waited for; the server passes over it when one is refused. */
async function commit(wire: Wire, sql: PostgresSql): Promise<void> {
  let command: string;
  try {
    ({ command } = await wire.ask(COMMIT));
  } catch (error) {
    await takeBack(wire);
    throw translated(error);
  }
  // Postgres answers a commit after a failed statement with a rollback and no error.
  if (command !== 'COMMIT') throw (sql.refusal?.reason as Error | undefined) ?? wentOn();
}

/** A connection that can not even roll back is given up. */
const takeBack = (wire: Wire): Promise<void> =>
  wire.ask(ROLLBACK).then(
    () => undefined,
    (error: unknown) => wire.giveUp(error),
  );
