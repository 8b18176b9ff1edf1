import type pg from 'pg';
import type { Value } from '../sql.ts';
import type { ColumnName } from '../column-name.ts';

export interface Statement {
  /** The name of the prepared statement on the server. Without one it is parsed each time. */
  readonly name?: string;
  readonly text: string;
}

/** A statement with its values. Its result is not awaited. */
export type Command = readonly [statement: Statement, ...values: readonly Value[]];

export interface StatementResult {
  /** The command tag: `SELECT`, `COMMIT`, … */
  readonly command: string;
  readonly rows: Record<string, unknown>[];
  /** How many rows were found or changed. */
  readonly count: number;
}

/** A statement that has no result yet. */
export interface PendingStatement {
  readonly statement: Statement;
  readonly values: readonly Value[];
  /** A read outside a transaction. It is sent again if an earlier statement of its batch fails. */
  readonly isIndependent?: boolean;
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
}

type Parse = (text: string) => unknown;

/** The columns of a result. */
interface RowDescription {
  readonly names: readonly ColumnName[];
  readonly parsers: readonly Parse[];
  /** A row of nulls. A copy of it has all keys at once, which is faster than adding one key after the other. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** The statement was sent, but it is not known whether the server has prepared it. */
const UNCONFIRMED: RowDescription = { names: [], parsers: [], empty: {} };
const NO_COLUMNS: RowDescription = { ...UNCONFIRMED };

/** The statements that the server has prepared for one connection, with their columns. */
export type PreparedStatements = Map<string, RowDescription>;

type Fields = pg.QueryArrayResult['fields'];

/**
 * Several statements in one write with one Sync message. After an error the server skips the rest of the batch, so the
 * statements behind it fail with the same error, except independent ones. Outside a transaction a batch is one
 * transaction. The row description of a named statement is requested once for each connection: the server rejects a
 * statement whose columns have changed since.
 *
 * The driver's own pipeline mode sends a Sync and a description request with every statement, so a statement runs even
 * after the one before it has failed.
 */
export class PipelineBatch implements pg.Submittable {
  readonly #client: Pick<pg.Client, 'getTypeParser'>;
  readonly #prepared: PreparedStatements;
  readonly #pending: readonly PendingStatement[];
  readonly #done: (toSendAgain: readonly PendingStatement[]) => void;
  readonly #results: (() => StatementResult)[] = [];
  #described: RowDescription | undefined;
  #rows: (string | null)[][] = [];
  #isSettled = false;

  constructor(
    client: Pick<pg.Client, 'getTypeParser'>,
    prepared: PreparedStatements,
    pending: readonly PendingStatement[],
    done: (toSendAgain: readonly PendingStatement[]) => void,
  ) {
    this.#client = client;
    this.#prepared = prepared;
    this.#pending = pending;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    for (const { statement, values } of this.#pending) this.#send(connection, statement, values);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: pg.Connection, { name = '', text }: Statement, values: readonly Value[]): void {
    const known = this.#prepared.get(name);
    const fresh = known === undefined || known === UNCONFIRMED;
    if (fresh) {
      if (known) connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
      if (name) this.#prepared.set(name, UNCONFIRMED);
    }
    connection.bind({ statement: name, values: values.map(toProtocolValue) }, true);
    if (fresh) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    const names = fields.map((field) => field.name as ColumnName);
    this.#described = {
      names,
      parsers: fields.map(({ dataTypeID }) => this.#client.getTypeParser(dataTypeID) as Parse),
      empty: { ...Object.fromEntries(names.map((name) => [name, null])) },
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name = '' } = this.#pending[this.#results.length]?.statement ?? {};
    const known = this.#prepared.get(name);
    const columns = this.#described ?? (known === UNCONFIRMED ? NO_COLUMNS : known) ?? NO_COLUMNS;
    if (name) this.#prepared.set(name, columns);
    const raw = this.#rows;
    this.#results.push(() => ({
      ...parseCommandTag(text),
      rows: raw.map((row) => rowOf(columns, row)),
    }));
    this.#described = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    // Made only where it is needed: an error captures the stack, which costs as much as the rest of this method.
    this.#settle(() => new Error('The server sent no result for a statement.'));
  }

  /** Called with an error of one statement or of the connection. */
  handleError(error: unknown): void {
    const { statement } = this.#pending[this.#results.length] ?? {};
    if (statement?.name) this.#prepared.set(statement.name, UNCONFIRMED);
    this.#settle(() => error);
  }

  #settle(errorOfRest: () => unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#results.forEach((result, n) => resolveWith(this.#pending[n] as PendingStatement, result));
    const [failed, ...skipped] = this.#pending.slice(this.#results.length);
    if (!failed) return this.#done([]);
    const error = errorOfRest();
    failed.reject(error);
    for (const each of skipped) if (!each.isIndependent) each.reject(error);
    this.#done(skipped.filter(({ isIndependent }) => isIndependent));
  }
}

function resolveWith(pending: PendingStatement, result: () => StatementResult): void {
  try {
    pending.resolve(result());
  } catch (error) {
    pending.reject(error);
  }
}

const toProtocolValue = (value: Value | undefined): string | Buffer | null => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  return typeof value === 'number'
    ? String(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};

function rowOf({ names, parsers, empty }: RowDescription, raw: readonly (string | null)[]) {
  const row = { ...empty };
  for (let i = 0; i < raw.length; i++) {
    const value = raw[i];
    const name = names[i];
    if (name !== undefined && value !== null && value !== undefined)
      row[name] = parsers[i]?.(value);
  }
  return row;
}

/** Of `INSERT 0 3`, `SELECT 3`, `BEGIN`. */
function parseCommandTag(text: string): Pick<StatementResult, 'command' | 'count'> {
  const words = text.split(' ');
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 };
}
