import type pg from 'pg';
import {
  Batch,
  type Answer,
  type Asked,
  type Bundle,
  type Command,
  type Failure,
  type KnownStatements,
  type Statement,
} from './pipeline-batch.ts';
import type { Value } from '../sql.ts';

/** For a server that says nothing any more: past its own limits for a lock and for the statement that came along. */
const SILENCE_MS = 45_000;
/** The protocol counts values in 16 bits, and would take what is more for the next message. */
const MOST_VALUES = 65_535;

const ROLLBACK: readonly [Statement] = [{ name: 'ow_rollback', text: 'rollback' }];
const ignore = () => undefined;
type Hears = (reason: unknown) => void;
const asAsked = (
  [statement, ...values]: Command,
  bundle?: Bundle,
  fail: Hears = ignore,
): Asked => ({
  ...{ statement, values, bundle },
  ...{ settle: ignore, fail },
});

const undoOf = (bundle: Bundle): readonly Asked[] =>
  bundle.undo().map((each) => asAsked(each, undefined, (reason) => bundle.lost?.(reason)));

/**
 * The statements of one connection. What is asked for in one turn of the event loop travels together, and waits while
 * others are under way.
 */
export class Wire {
  readonly #client: pg.Client;
  readonly #known: KnownStatements = new Map();
  readonly #silenceMs: number;
  #waiting: Asked[] = [];
  #underWay: Batch | undefined;
  #scheduled = false;
  #ending = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(client: pg.Client, silenceMs = SILENCE_MS) {
    this.#client = client;
    this.#silenceMs = silenceMs;
  }

  /** Nothing is waited for. */
  get idle(): boolean {
    return !this.#underWay && this.#waiting.length === 0;
  }

  /** How many statements have not been sent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  ask(statement: Statement, values: readonly Value[] = []): Promise<Answer> {
    return new Promise((settle, fail) => this.add({ statement, values, settle, fail }));
  }

  add(asked: Asked): void {
    if (asked.values.length > MOST_VALUES) {
      asked.fail(
        new Error(`A statement has ${asked.values.length} values, more than can be sent.`),
      );
      return;
    }
    if (this.#ending) {
      this.#ending = false;
      this.#waiting.push(asAsked(ROLLBACK));
    }
    this.#waiting.push(asked);
    this.#schedule();
  }

  /** Nobody waits for it; `fail` hears why it was refused. */
  command(command: Command, bundle?: Bundle, fail?: Hears): void {
    this.add(asAsked(command, bundle, fail));
  }

  /** Ends a transaction that has only read, with the next statement or when `end` is called. */
  endLater(): void {
    this.#ending = true;
  }

  /** Ends a transaction of which nothing is to be kept. A connection that can not is marked, so that the pool lets go of it. */
  async takeBack(): Promise<void> {
    try {
      await this.ask(...ROLLBACK);
    } catch (error) {
      Object.assign(this.#client, { __knex__disposed: error });
    }
  }

  /** Sends the end that was left for later. */
  end(): void {
    if (!this.#ending) return;
    this.#ending = false;
    this.#waiting.push(asAsked(ROLLBACK));
    this.#flush();
  }

  #schedule(): void {
    if (this.#scheduled || this.#underWay) return;
    this.#scheduled = true;
    // After all that goes on by itself in this turn: what it asks for comes along.
    process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#underWay || this.#waiting.length === 0) return;
    const batch = new Batch(this.#client, this.#known, this.#waiting, (again, fallen) => {
      this.#underWay = undefined;
      if (fallen) this.#drop(fallen);
      this.#waiting.unshift(...again);
      if (fallen) this.#waiting.unshift(...undoOf(fallen.bundle));
      if (this.#waiting.length > 0) this.#schedule();
    });
    this.#waiting = [];
    this.#underWay = batch;
    this.#listen();
    this.#client.query(batch);
  };

  /** What has not been sent of a bundle falls with the rest of it. */
  #drop({ bundle, reason }: Failure): void {
    bundle.fell?.();
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((asked) => asked.bundle !== bundle);
    for (const asked of waiting) if (asked.bundle === bundle) asked.fail(reason);
  }

  /** One timer for all batches: to start one and clear it for each would cost more than to look once in vain. */
  #listen(): void {
    this.#watch ??= setTimeout(() => {
      if (!this.#underWay) return;
      this.#underWay.handleError(new Error('Query read timeout'));
      // Nothing that still comes could be told apart.
      // The connection is discarded, so errors of closing it do not matter.
      this.#client.end().catch(() => undefined);
    }, this.#silenceMs).unref();
    this.#watch.refresh();
  }
}

const wires = new WeakMap<pg.Client, Wire>();

/** What goes past it on the same connection is sent in its own order. */
export function wireOf(client: pg.Client): Wire {
  const found = wires.get(client) ?? new Wire(client);
  wires.set(client, found);
  return found;
}
