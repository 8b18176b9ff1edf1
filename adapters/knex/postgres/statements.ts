import type pg from 'pg';
import { translated } from '../errors.ts';
import type { Answer, Bundle, Command, Statement } from './pipeline-batch.ts';
import { wireOf, type Wire } from './connection.ts';
import type { OpenSql, Value } from '../sql.ts';

const MOST_STATEMENTS = 500;

const named = new Map<string, Statement>();

/** The same text under one name on every connection; Postgres plans it once per connection. */
function statementOf(text: string): Statement {
  const found = named.get(text);
  if (found) return found;
  let position = 0;
  const numbered = text.replaceAll('?', () => `$${++position}`);
  // Past the bound a statement is sent unnamed: names live on the server for the length of a connection.
  if (named.size >= MOST_STATEMENTS) return { text: numbered };
  const made = { name: `ow_${named.size + 1}`, text: numbered };
  named.set(text, made);
  return made;
}

export interface Unit {
  /** What travels with the first statement. */
  readonly opening?: readonly Command[];
  /** Hears why that was refused. */
  readonly unopened?: (reason: unknown) => void;
  /** What falls when one of these statements fails, and nothing else; without one it is the whole transaction. */
  readonly bundle?: Bundle;
  /** Changes are not waited for: whoever ends the unit looks at `failure`, and commits by the same wire. */
  readonly deferring?: boolean;
}

/** A change that is larger is waited for, and so is one behind as many others: they are held in memory until they go. */
const MOST_DEFERRED = 32;
const MOST_DEFERRED_LENGTH = 16_384;
const isSmall = (value: Value): boolean =>
  typeof value === 'number' || value === null || value.length <= MOST_DEFERRED_LENGTH;

/** Statements on one connection. */
export class PostgresSql implements OpenSql {
  readonly dialect = 'postgres';
  readonly #wire: Wire;
  readonly #opening: readonly Command[];
  readonly #unopened: Unit['unopened'];
  readonly #bundle: Bundle | undefined;
  readonly #deferring: boolean;
  #open = true;
  #begun = false;
  #failed = false;
  #refusal: { readonly reason: unknown } | undefined;

  constructor(wire: Wire, { opening = [], unopened, bundle, deferring = false }: Unit = {}) {
    this.#wire = wire;
    this.#opening = opening;
    this.#unopened = unopened;
    this.#bundle = bundle;
    this.#deferring = deferring;
  }

  /** Something was sent, or is about to be. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Whether a statement was refused, after which Postgres passes over the rest of a transaction. */
  get failed(): boolean {
    return this.#failed;
  }

  all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#ask(text, values, ({ rows }) => rows as Row[]);
  }

  get<Row>(text: string, values: readonly Value[] = []): Promise<Row | undefined> {
    return this.#ask(text, values, ({ rows }) => rows[0] as Row | undefined);
  }

  column<T>(text: string, values: readonly Value[] = []): Promise<T[]> {
    return this.#ask(text, values, ({ rows }) => rows.map((row) => Object.values(row)[0] as T));
  }

  run(text: string, values: readonly Value[] = []): Promise<number> {
    return this.#ask(text, values, ({ count }) => count);
  }

  change(text: string, values: readonly Value[] = []): Promise<void> {
    const few = this.#wire.waiting < MOST_DEFERRED && values.every(isSmall);
    const deferred = this.#open && this.#deferring && few;
    const made = this.#ask(text, values, () => undefined, deferred);
    if (!deferred) return made;
    // What it is refused for is noted as it comes.
    made.catch(() => undefined);
    return Promise.resolve();
  }

  /** Whoever waits for a server lets others have their turn anyway. */
  breathe(): Promise<void> {
    return Promise.resolve();
  }

  /** Why nothing of the unit is to be kept, although its work has come to its end. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#refusal ?? (this.#failed ? { reason: wentOn() } : undefined);
  }

  end(): void {
    this.#open = false;
  }

  #ask<T>(
    text: string,
    values: readonly Value[],
    take: (answer: Answer) => T,
    deferred = false,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#open) throw new Error('A store was used after its unit of work.');
      if (this.#refusal) throw this.#refusal.reason;
      // Others of its transaction are under way behind it.
      if (this.#deferring && this.#failed) throw wentOn();
      if (!this.#begun) this.#begin();
      this.#wire.add({
        statement: statementOf(text),
        values,
        bundle: this.#bundle,
        settle: (answer) => resolve(take(answer)),
        fail: (error) => {
          this.#failed = true;
          const reason = translated(error);
          if (deferred) this.#refusal ??= { reason };
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a driver has thrown goes on as it is
          reject(reason);
        },
      });
    });
  }

  #begin(): void {
    this.#begun = true;
    for (const command of this.#opening) this.#wire.command(command, undefined, this.#unopened);
  }
}

const wentOn = () => new Error('The unit of work went on after a statement of it had failed.');

export const postgresSql = (connection: pg.Client): OpenSql => new PostgresSql(wireOf(connection));
