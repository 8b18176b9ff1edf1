import type pg from 'pg';
import {
  PipelineBatch,
  type Command,
  type PendingStatement,
  type PreparedStatements,
  type Statement,
  type StatementResult,
} from './pipeline-batch.ts';
import type { Value } from '../sql.ts';

/** Longer than the server's own limits for a lock and for the statement behind it together. */
const MAX_SILENCE_MS = 45_000;
/** The protocol counts values in 16 bits, and would read the rest as the next message. */
const MAX_VALUES = 65_535;

const ROLLBACK: readonly [Statement] = [{ name: 'ow_rollback', text: 'rollback' }];
const ignore = () => undefined;
const toPending = ([statement, ...values]: Command): PendingStatement => ({
  statement,
  values,
  resolve: ignore,
  reject: ignore,
});

/**
 * The statements of one connection. Statements of one event-loop tick are sent in one batch. While a batch has no
 * result, the next statements wait.
 */
export class PipelinedConnection {
  readonly #client: pg.Client;
  readonly #prepared: PreparedStatements = new Map();
  readonly #maxSilenceMs: number;
  #waiting: PendingStatement[] = [];
  #sent: PipelineBatch | undefined;
  #isScheduled = false;
  #needsEnd = false;
  #onDrained: (() => void)[] = [];
  #silenceTimer: NodeJS.Timeout | undefined;

  constructor(client: pg.Client, maxSilenceMs = MAX_SILENCE_MS) {
    this.#client = client;
    this.#maxSilenceMs = maxSilenceMs;
  }

  /** Whether a batch was sent that has no result yet. */
  get isBusy(): boolean {
    return this.#sent !== undefined;
  }

  /** Whether every statement has its result. */
  get isIdle(): boolean {
    return !this.isBusy && this.#waiting.length === 0;
  }

  /** How many statements have not been sent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when every statement so far has its result, whether it succeeded or not. */
  drained(): Promise<void> {
    return this.isIdle
      ? Promise.resolve()
      : new Promise((resolve) => void this.#onDrained.push(resolve));
  }

  query(statement: Statement, values: readonly Value[] = []): Promise<StatementResult> {
    return new Promise((resolve, reject) => this.enqueue({ statement, values, resolve, reject }));
  }

  enqueue(pending: PendingStatement): void {
    if (pending.values.length > MAX_VALUES) {
      pending.reject(
        new Error(`A statement has ${pending.values.length} values, more than can be sent.`),
      );
      return;
    }
    if (this.#needsEnd) {
      this.#needsEnd = false;
      this.#waiting.push(toPending(ROLLBACK));
    }
    this.#waiting.push(pending);
    this.#schedule();
  }

  /** If it fails, the statements behind it in the batch fail as well. */
  enqueueCommand(command: Command): void {
    this.enqueue(toPending(command));
  }

  /** Ends a transaction that has only read, with the next statement or when `flushEnd` is called. */
  endWithNextBatch(): void {
    this.#needsEnd = true;
  }

  flushEnd(): void {
    if (!this.#needsEnd) return;
    this.#needsEnd = false;
    this.#waiting.push(toPending(ROLLBACK));
    this.#flush();
  }

  /** Never rejects: the pool closes a connection that cannot roll back. */
  async rollback(): Promise<void> {
    try {
      await this.query(...ROLLBACK);
    } catch (error) {
      Object.assign(this.#client, { __knex__disposed: error });
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.isBusy) return;
    this.#isScheduled = true;
    // After all microtasks of this tick, so that their statements join the batch.
    process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    if (this.isBusy || this.#waiting.length === 0) return;
    const batch = new PipelineBatch(this.#client, this.#prepared, this.#waiting, (toSendAgain) =>
      this.#settled(toSendAgain),
    );
    this.#waiting = [];
    this.#sent = batch;
    this.#watchSilence();
    this.#client.query(batch);
  };

  #settled(toSendAgain: readonly PendingStatement[]): void {
    this.#sent = undefined;
    this.#waiting.unshift(...toSendAgain);
    if (this.#waiting.length > 0) this.#schedule();
    else for (const resolve of this.#onDrained.splice(0)) resolve();
  }

  /** One timer for all batches: starting and clearing a timer for each would cost more than one vain callback. */
  #watchSilence(): void {
    this.#silenceTimer ??= setTimeout(() => {
      if (!this.#sent) return;
      this.#sent.handleError(new Error('Query read timeout'));
      // A late result could not be assigned to its statement, so the connection is discarded. Errors of closing it do
      // not matter.
      this.#client.end().catch(() => undefined);
    }, this.#maxSilenceMs).unref();
    this.#silenceTimer.refresh();
  }
}

const connections = new WeakMap<pg.Client, PipelinedConnection>();

/** Statements that bypass it on the same client are sent in the client's own order. */
export function pipelinedConnectionOf(client: pg.Client): PipelinedConnection {
  const found = connections.get(client) ?? new PipelinedConnection(client);
  connections.set(client, found);
  return found;
}
