import { UnavailableError } from '../../ports/errors.ts';

const SQLITE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;
/** SQLSTATE classes 08, 53 and 57P, lock and statement timeouts, deadlock, idle transaction ended. */
const POSTGRES = /^(08...|53...|57P..|55P03|57014|40001|40P01|25P03)$/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const OUTAGE_MESSAGES =
  /Connection terminated|connection error|Connection ended|not queryable|Unable to acquire a connection|timeout exceeded|timeout expired|Query read timeout|^aborted$/i;

interface DriverError {
  readonly code?: unknown;
  readonly name?: string;
  readonly message?: string;
}

/** Another connection holds the lock of SQLite. A stale snapshot does not count, because waiting does not help. */
export const isBusy = (error: unknown): boolean => {
  const code = (error as DriverError | undefined)?.code;
  return (
    typeof code === 'string' && code.startsWith('SQLITE_BUSY') && code !== 'SQLITE_BUSY_SNAPSHOT'
  );
};

/** Outages that a driver or a pool reports become a UnavailableError. Other errors are defects and stay unchanged. */
export function toPortError(error: unknown): unknown {
  if (error instanceof UnavailableError) return error;
  const { code, name, message } = (error ?? {}) as DriverError;
  const text = typeof code === 'string' ? code : '';
  const outage =
    SQLITE.test(text) ||
    POSTGRES.test(text) ||
    NETWORK.test(text) ||
    name === 'KnexTimeoutError' ||
    name === 'TimeoutError' ||
    OUTAGE_MESSAGES.test(message ?? '');
  return outage ? new UnavailableError('database', 'The database did not answer.', error) : error;
}
