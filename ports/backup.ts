import type { Token } from './identity.ts';
import type { Holding } from './inspection.ts';
import type { Instant } from './time-and-ids.ts';

/** A table of the database, with its columns in the order in which its rows give their values. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table of a version of the schema. */
export interface KnownTable extends TableShape {
  /**
   * Its rows are in no backup, and those of an older backup are dropped: they are short-lived, such as unlock tokens. A
   * restore must not revive a revoked one.
   */
  readonly isTransient: boolean;
}

/** How to end the access in restored rows: bearer tokens, share links, calendar feeds, link codes of bots. */
export interface AccessReset {
  readonly at: Instant;
  /** Limit of the owners, the oldest first, that get a new token. */
  readonly maxTokens: number;
  newToken(): Token;
  newLinkCode(): string;
}

/** How many of each were ended, how many owners there are, and the tokens that were added. */
export interface EndedAccess {
  readonly tokens: number;
  readonly shares: number;
  readonly feeds: number;
  readonly linkCodes: number;
  readonly owners: number;
  readonly issued: readonly {
    readonly ownerId: string;
    readonly name: string;
    readonly tokenId: string;
  }[];
}

export type RowValue = string | number | null;
export type TableRow = readonly RowValue[];

/** All rows of all owners as they were at one moment. Whoever opened it closes it. */
export interface RowSnapshot {
  /** The version of the schema that the tables are of. */
  readonly schema: number;
  /** In an order in which they can be filled: what rows refer to comes before them. */
  readonly tables: readonly TableShape[];
  /** The rows of a table, in pages of bounded size. */
  rows(table: string): AsyncIterable<readonly TableRow[]>;
  /** Every secret that is sealed under a key. */
  sealed(): Promise<readonly string[]>;
  /** Bytes that the rows refer to: those after the id, at most `limit`, in the order of the ids. */
  holdings(after: string | null, limit: number): Promise<readonly Holding[]>;
  close(): Promise<void>;
}

/**
 * Gives all rows away, beside whatever changes them. The search index proper, which is made of other rows, what means
 * something to running processes only, and transient tables are not among them.
 *
 * Contract (contract-tests/suites/row-copies.ts):
 * - A snapshot gives the rows of one moment, whatever is written while they are drawn.
 * - A snapshot gives the sealed secrets and the bytes of its moment.
 */
export interface RowSource {
  open(): Promise<RowSnapshot>;
}

/** Another filling of the same place has begun since. */
export class FillingOvertaken extends Error {
  override readonly name = 'FillingOvertaken';
}

/**
 * An empty place that takes all rows, or none. `begin` leaves a mark that keeps every process from the place until
 * `fill` has resolved; a mark whose process has died is taken over by the next `begin`.
 *
 * Contract (contract-tests/suites/row-copies.ts):
 * - What a place was filled with is given by its own snapshot, row by row, and is as sound as it was.
 * - Numbers that the database gives go on behind those it was filled with.
 * - What was running when the rows were given waits for somebody to take it up, at once.
 * - A place is empty, begun or used, and tells which; only a process that began last may fill it.
 * - A filling that fails leaves no row behind, and can be begun anew.
 * - Rows of transient tables are dropped.
 * - With an access reset the tokens, share links, feeds and link codes of the rows end in the same transaction.
 * - Rows of an earlier schema are brought to that of today; a schema that is not known has no tables.
 */
export interface RowTarget {
  state(): Promise<'empty' | 'begun' | 'used'>;
  /** The tables of a version of the schema; undefined where this program does not know it. */
  tablesOf(schema: number): Promise<readonly KnownTable[] | undefined>;
  begin(mark: string): Promise<void>;
  /** Rejects with FillingOvertaken when the mark is another's by now. */
  fill(
    mark: string,
    schema: number,
    rows: (table: TableShape) => AsyncIterable<readonly TableRow[]>,
    reset?: AccessReset,
  ): Promise<EndedAccess | undefined>;
}

/** What the key of the installation says of itself, and of a text, to whoever has it as well. */
export interface KeyMark {
  /** The same for the same key; tells nothing of it. */
  readonly fingerprint: string;
  /** HMAC-SHA256 in lower-case hex. */
  sign(text: string): string;
}
