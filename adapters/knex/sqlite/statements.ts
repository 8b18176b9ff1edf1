import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { isBusy, toPortError } from '../errors.ts';
import type { OpenSql, Sql, Value } from '../sql.ts';

type Connection = BetterSqlite3.Database;
type Statement = BetterSqlite3.Statement<unknown[], unknown>;

const MAX_STATEMENTS = 500;
const MAX_PAUSE_MS = 20;
/**
 * SQLite inspects bare parameters to choose a plan, and then parses the statement again whenever another value is bound,
 * which cost six times as much as the statement itself. The sign changes no value and hides the parameter.
 */
const NO_PEEK_PARAMETER = '+?';
const statementCaches = new WeakMap<Connection, Map<string, Statement>>();

/** In the order of their first use, so that the oldest is removed at the limit. */
function statement(connection: Connection, text: string): Statement {
  const statements = statementCaches.get(connection) ?? new Map<string, Statement>();
  let found = statements.get(text);
  if (found) return found;
  found = connection.prepare(text.replaceAll('?', NO_PEEK_PARAMETER));
  if (statements.size >= MAX_STATEMENTS) {
    const oldest = statements.keys().next();
    if (!oldest.done) statements.delete(oldest.value);
  }
  statements.set(text, found);
  statementCaches.set(connection, statements);
  return found;
}

/** better-sqlite3 is synchronous. */
export const runSync = (connection: Connection, text: string): void =>
  void statement(connection, text).run();

/**
 * Retries for at most `ms` while another connection holds the lock. Other work of the process runs in between. A statement
 * that failed because the database was busy has changed nothing, so a retry is safe.
 */
export async function retryWhileBusy<T>(ms: number, work: () => T): Promise<T> {
  const deadline = Date.now() + ms;
  for (let wait = 1; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      await pause(wait);
    }
  }
}

const rejectTranslated = async (error: unknown): Promise<never> => {
  throw toPortError(error);
};

export function sqliteSql(
  connection: Connection,
  lockWaitMs: number,
  yieldSlice: Sql['yield'] = setImmediate,
): OpenSql {
  let open = true;
  // A use after the end and an outage are reported alike by every method.
  const attempt = <T>(work: () => T): Promise<T> => {
    const guarded = () => {
      if (!open) throw new Error('A store was used after its unit of work.');
      return work();
    };
    try {
      return Promise.resolve(guarded());
    } catch (error) {
      if (!isBusy(error)) return rejectTranslated(error);
    }
    return retryWhileBusy(lockWaitMs, guarded).catch(rejectTranslated);
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
    enqueueChange: (text: string, values: readonly Value[] = []) =>
      attempt(() => void statement(connection, text).run(...values)),
    yield: yieldSlice,
    end: () => {
      open = false;
    },
  };
}
