import { PortFailure } from '../../ports/failures.ts';

const SQLITE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;
/** SQLSTATE classes 08, 53 and 57P, lock and statement timeouts, deadlock, idle transaction ended. */
const POSTGRES = /^(08...|53...|57P..|55P03|57014|40001|40P01|25P03)$/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const WORDS =
  /Connection terminated|connection error|Connection ended|not queryable|Unable to acquire a connection|timeout exceeded|timeout expired|Query read timeout|^aborted$/i;

interface DriverError {
  readonly code?: unknown;
  readonly name?: string;
  readonly message?: string;
}

/** SQLite says that somebody else holds the lock. A stale snapshot is no such case: it stays stale. */
export const isBusy = (error: unknown): boolean => {
  const code = (error as DriverError | undefined)?.code;
  return (
    typeof code === 'string' && code.startsWith('SQLITE_BUSY') && code !== 'SQLITE_BUSY_SNAPSHOT'
  );
};

/** An outage, told by a driver or a pool, becomes a PortFailure; what remains is a defect of ours and stays itself. */
export function translated(error: unknown): unknown {
  if (error instanceof PortFailure) return error;
  const { code, name, message } = (error ?? {}) as DriverError;
  const text = typeof code === 'string' ? code : '';
  const outage =
    SQLITE.test(text) ||
    POSTGRES.test(text) ||
    NETWORK.test(text) ||
    name === 'KnexTimeoutError' ||
    name === 'TimeoutError' ||
    WORDS.test(message ?? '');
  return outage ? new PortFailure('database', 'The database did not answer.', error) : error;
}
