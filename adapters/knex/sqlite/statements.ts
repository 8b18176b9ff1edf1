import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { isBusy, translated } from '../errors.ts';
import type { OpenSql, Sql, Value } from '../sql.ts';

type Connection = BetterSqlite3.Database;
type Statement = BetterSqlite3.Statement<unknown[], unknown>;

const MOST_STATEMENTS = 500;
const LONGEST_PAUSE_MS = 20;
/**
 * SQLite looks at bare parameters to weigh its plan and then parses the statement again whenever one is bound anew,
 * which cost six times what the statement itself did. The sign changes no value and keeps them out of its sight.
 */
const NO_PEEK_PARAMETER = '+?';
const kept = new WeakMap<Connection, Map<string, Statement>>();

/** Kept in the order they came, so that the oldest goes when the room is full. */
function statement(connection: Connection, text: string): Statement {
  const statements = kept.get(connection) ?? new Map<string, Statement>();
  let found = statements.get(text);
  if (found) return found;
  found = connection.prepare(text.replaceAll('?', NO_PEEK_PARAMETER));
  if (statements.size >= MOST_STATEMENTS) {
    const oldest = statements.keys().next();
    if (!oldest.done) statements.delete(oldest.value);
  }
  statements.set(text, found);
  kept.set(connection, statements);
  return found;
}

/** Runs one statement at once; better-sqlite3 answers synchronously. */
export const runSync = (connection: Connection, text: string): void =>
  void statement(connection, text).run();

/**
 * Repeats while somebody else holds the lock, for at most `ms`, and lets the process go on in between. A statement
 * that was told to be busy has done nothing, so it may be repeated.
 */
export async function retryWhileBusy<T>(ms: number, work: () => T): Promise<T> {
  const deadline = Date.now() + ms;
  for (let wait = 1; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      await pause(wait);
    }
  }
}

const refused = async (error: unknown): Promise<never> => {
  throw translated(error);
};

export function sqliteSql(
  connection: Connection,
  lockWaitMs: number,
  breathe: Sql['breathe'] = setImmediate,
): OpenSql {
  let open = true;
  // One helper, so that a use after the end and an outage look the same from every method.
  const attempt = <T>(work: () => T): Promise<T> => {
    const guarded = () => {
      if (!open) throw new Error('A store was used after its unit of work.');
      return work();
    };
    try {
      return Promise.resolve(guarded());
    } catch (error) {
      if (!isBusy(error)) return refused(error);
    }
    return retryWhileBusy(lockWaitMs, guarded).catch(refused);
  };
  return {
    dialect: 'sqlite',
    all: <Row>(text: string, values: readonly Value[] = []) =>
      attempt(() => statement(connection, text).all(...values) as Row[]),
    get: <Row>(text: string, values: readonly Value[] = []) =>
      attempt(() => statement(connection, text).get(...values) as Row | undefined),
    column: <T>(text: string, values: readonly Value[] = []) =>
      attempt(() => {
        const found = statement(connection, text).pluck(true);
        try {
          return found.all(...values) as T[];
        } finally {
          found.pluck(false);
        }
      }),
    run: (text: string, values: readonly Value[] = []) =>
      attempt(() => {
        const found = statement(connection, text);
        return found.reader ? found.all(...values).length : found.run(...values).changes;
      }),
    change: (text: string, values: readonly Value[] = []) =>
      attempt(() => void statement(connection, text).run(...values)),
    breathe,
    end: () => {
      open = false;
    },
  };
}
