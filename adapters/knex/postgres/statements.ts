import type pg from 'pg';
import { toPortError } from '../errors.ts';
import type { Command, Statement, StatementResult } from './pipeline-batch.ts';
import { pipelinedConnectionOf, type PipelinedConnection } from './connection.ts';
import type { OpenSql, Value } from '../sql.ts';

const MAX_STATEMENTS = 500;

const named = new Map<string, Statement>();

/** The same text has one name on every connection. Postgres plans it once per connection. */
function statementOf(text: string): Statement {
  const found = named.get(text);
  if (found) return found;
  let position = 0;
  const numbered = text.replaceAll('?', () => `$${++position}`);
  // Beyond the limit a statement is sent unnamed: the server keeps names for the life of a connection.
  if (named.size >= MAX_STATEMENTS) return { text: numbered };
  const made = { name: `ow_${named.size + 1}`, text: numbered };
  named.set(text, made);
  return made;
}

export interface StatementOptions {
  /** Sent in one batch with the first statement. If one of them fails, that statement fails. */
  readonly opening?: readonly Command[];
  /** Reads outside a transaction, which do not fail with others of their batch. */
  readonly isIndependent?: boolean;
  /** Changes resolve before they are made. The end of the unit checks `failure`. */
  readonly isDeferring?: boolean;
}

/** Deferred changes are held in memory until they are sent, so a change beyond these limits is awaited. */
const MAX_DEFERRED = 32;
const MAX_DEFERRED_LENGTH = 16_384;
const isSmall = (value: Value): boolean =>
  typeof value === 'number' || value === null || value.length <= MAX_DEFERRED_LENGTH;

/** Statements on one connection. */
export class PostgresSql implements OpenSql {
  readonly dialect = 'postgres';
  readonly #connection: PipelinedConnection;
  readonly #opening: readonly Command[];
  readonly #isIndependent: boolean;
  readonly #isDeferring: boolean;
  #isOpen = true;
  #hasBegun = false;
  #hasFailed = false;
  /** Why a deferred change failed. */
  #rejection: { readonly reason: unknown } | undefined;

  constructor(
    connection: PipelinedConnection,
    { opening = [], isIndependent = false, isDeferring = false }: StatementOptions = {},
  ) {
    this.#connection = connection;
    this.#opening = opening;
    this.#isIndependent = isIndependent;
    this.#isDeferring = isDeferring;
  }

  /** Whether a statement was sent or waits to be sent. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether a statement failed, after which Postgres rejects the rest of the transaction. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#query(text, values, ({ rows }) => rows as Row[]);
  }

  get<Row>(text: string, values: readonly Value[] = []): Promise<Row | undefined> {
    return this.#query(text, values, ({ rows }) => rows[0] as Row | undefined);
  }

  column<T>(text: string, values: readonly Value[] = []): Promise<T[]> {
    return this.#query(text, values, ({ rows }) => rows.map((row) => Object.values(row)[0] as T));
  }

  run(text: string, values: readonly Value[] = []): Promise<number> {
    return this.#query(text, values, ({ count }) => count);
  }

  enqueueChange(text: string, values: readonly Value[] = []): Promise<void> {
    const isWithinLimits = this.#connection.waiting < MAX_DEFERRED && values.every(isSmall);
    const isDeferred = this.#isOpen && this.#isDeferring && isWithinLimits;
    const made = this.#query(text, values, () => undefined, isDeferred);
    if (!isDeferred) return made;
    // `failure` reports the error.
    made.catch(() => undefined);
    return Promise.resolve();
  }

  /** A statement on Postgres is asynchronous, so other work runs anyway. */
  yield(): Promise<void> {
    return Promise.resolve();
  }

  get failure(): { readonly reason: unknown } | undefined {
    return this.#rejection ?? (this.#hasFailed ? { reason: continuedAfterFailure() } : undefined);
  }

  end(): void {
    this.#isOpen = false;
  }

  #query<T>(
    text: string,
    values: readonly Value[],
    toValue: (result: StatementResult) => T,
    isDeferred = false,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) throw new Error('A store was used after its unit of work.');
      if (this.#rejection) throw this.#rejection.reason;
      // Postgres would reject the statement as well.
      if (this.#isDeferring && this.#hasFailed) throw continuedAfterFailure();
      if (!this.#hasBegun) this.#begin();
      this.#connection.enqueue({
        statement: statementOf(text),
        values,
        isIndependent: this.#isIndependent,
        resolve: (result) => resolve(toValue(result)),
        reject: (error) => {
          this.#hasFailed = true;
          const reason = toPortError(error);
          if (isDeferred) this.#rejection ??= { reason };
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an error of the driver is passed on unchanged
          reject(reason);
        },
      });
    });
  }

  #begin(): void {
    this.#hasBegun = true;
    for (const command of this.#opening) this.#connection.enqueueCommand(command);
  }
}

const continuedAfterFailure = () =>
  new Error('The unit of work continued after one of its statements had failed.');

export const postgresSql = (client: pg.Client): OpenSql =>
  new PostgresSql(pipelinedConnectionOf(client));
