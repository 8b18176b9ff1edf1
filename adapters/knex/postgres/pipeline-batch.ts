import type pg from 'pg';
import type { Value } from '../sql.ts';
import type { ColumnName } from '../column-name.ts';

export interface Statement {
  /** Under which the server keeps it; without one it is parsed each time. */
  readonly name?: string;
  readonly text: string;
}

/** A statement with its values, of which nobody hears. */
export type Command = readonly [statement: Statement, ...values: readonly Value[]];

export interface Answer {
  /** What was done: `SELECT`, `COMMIT`, … */
  readonly command: string;
  readonly rows: Record<string, unknown>[];
  /** How many rows were found or changed. */
  readonly count: number;
}

/** Statements that fall together, and with no others: what was passed over because of another's failure is asked once more. */
export interface Bundle {
  /** What takes back the others of it when one has failed, before anything else goes on. */
  undo(): readonly Command[];
  /** Hears that it has fallen: the undo is on its way. */
  fell?(): void;
  /** Hears why the undo was refused. */
  lost?(reason: unknown): void;
}

/** A statement that somebody waits for. */
export interface Asked {
  readonly statement: Statement;
  readonly values: readonly Value[];
  /** Without one all that stand behind it fall with it. */
  readonly bundle?: Bundle | undefined;
  settle(answer: Answer): void;
  fail(error: unknown): void;
}

type Parse = (text: string) => unknown;

/** The columns of what a statement answers. */
interface Shape {
  readonly names: readonly ColumnName[];
  readonly parsers: readonly Parse[];
  /** A row of nulls: copied it has all keys at once, in the place of growing by one key after the other. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** Sent, and not known to have been kept. */
const UNSURE: Shape = { names: [], parsers: [], empty: {} };
const NOTHING: Shape = { ...UNSURE };

/** Which bundle has fallen, and why. */
export interface Failure {
  readonly bundle: Bundle;
  readonly reason: unknown;
}

/** What the server keeps for one connection, and what it answers. */
export type KnownStatements = Map<string, Shape>;

type Fields = pg.QueryArrayResult['fields'];

/**
 * Several statements that travel together: one write, one answer, and the server works on each when the one before has
 * succeeded. After an error it passes over the rest, so that they fail with it. Outside of a transaction all of them are
 * one. Statements with a name are described once for each connection: the server refuses one whose columns have changed.
 *
 * The pipeline of pg itself ends every statement by itself, so that one that follows a failed one is run all the same,
 * and answers and describes each of them apart.
 */
export class Batch implements pg.Submittable {
  readonly #client: Pick<pg.Client, 'getTypeParser'>;
  readonly #known: KnownStatements;
  readonly #asked: readonly Asked[];
  readonly #done: (again: readonly Asked[], fallen?: Failure) => void;
  readonly #answers: (() => Answer)[] = [];
  #described: Shape | undefined;
  #rows: (string | null)[][] = [];
  #settled = false;

  constructor(
    client: Pick<pg.Client, 'getTypeParser'>,
    known: KnownStatements,
    asked: readonly Asked[],
    done: (again: readonly Asked[], fallen?: Failure) => void,
  ) {
    this.#client = client;
    this.#known = known;
    this.#asked = asked;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    for (const { statement, values } of this.#asked) this.#send(connection, statement, values);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: pg.Connection, { name = '', text }: Statement, values: readonly Value[]): void {
    const known = this.#known.get(name);
    const fresh = known === undefined || known === UNSURE;
    if (fresh) {
      if (known) connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
      if (name) this.#known.set(name, UNSURE);
    }
    connection.bind({ statement: name, values: values.map(wireValue) }, true);
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
    const { name = '' } = this.#asked[this.#answers.length]?.statement ?? {};
    const known = this.#known.get(name);
    const shape = this.#described ?? (known === UNSURE ? NOTHING : known) ?? NOTHING;
    if (name) this.#known.set(name, shape);
    const raw = this.#rows;
    this.#answers.push(() => ({ ...countOf(text), rows: raw.map((row) => rowOf(shape, row)) }));
    this.#described = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    // Made where it is needed: an error looks at the whole stack, which costs as much as the rest of a settlement.
    this.#settle(() => new Error('The server left a statement without an answer.'));
  }

  /** By the server about one statement, or about the connection. */
  handleError(error: unknown): void {
    const { statement } = this.#asked[this.#answers.length] ?? {};
    if (statement?.name) this.#known.set(statement.name, UNSURE);
    this.#settle(() => error);
  }

  #settle(reasonOfRest: () => unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    const answered = this.#answers.length;
    this.#answers.forEach((answer, n) => answerWith(this.#asked[n] as Asked, answer));
    if (answered === this.#asked.length) return this.#done([]);
    const reason = reasonOfRest();
    const bundle = this.#asked[answered]?.bundle;
    const again: Asked[] = [];
    for (const asked of this.#asked.slice(answered))
      if (!bundle || asked.bundle === bundle) asked.fail(reason);
      else again.push(asked);
    this.#done(again, bundle && { bundle, reason });
  }
}

function answerWith(asked: Asked, answer: () => Answer): void {
  try {
    asked.settle(answer());
  } catch (reason) {
    asked.fail(reason);
  }
}

const wireValue = (value: Value | undefined): string | Buffer | null => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  return typeof value === 'number'
    ? String(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};

function rowOf({ names, parsers, empty }: Shape, raw: readonly (string | null)[]) {
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
function countOf(text: string): Pick<Answer, 'command' | 'count'> {
  const words = text.split(' ');
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 };
}
