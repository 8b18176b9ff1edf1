import type { QueryTerm } from '../../../ports/search.ts';
import type { Sql, Value } from '../sql.ts';

export interface MarkedPassage {
  readonly number: number;
  /** Owner and zone, put before each term. */
  readonly mark: string;
  readonly terms: readonly string[];
}

/** Which passage holds which marked term: FTS5 or a tsvector with GIN. */
export interface TermIndex {
  add(passages: readonly MarkedPassage[]): Promise<void>;
  /**
   * Replaces the terms of one number, marked with the owner that `row` selects: `row` ends a select of `owner_no` and
   * of the object's `number`.
   */
  replace(row: TitleRow, zone: string, terms: readonly string[]): Promise<void>;
  /** Removes the numbers from `from` up to, but not including, `to`. */
  remove(from: number, to: number): Promise<void>;
  /** Ascending, each number once. */
  find(atom: QueryTerm, marks: readonly string[]): Promise<readonly number[]>;
}

/** The row of `search_entries` (as `e`) of the title row. */
export interface TitleRow {
  /** Its number as an expression, and where from. */
  readonly number: string;
  readonly from: string;
  readonly values: readonly Value[];
}

/** Placeholder before terms whose owner is not known yet. No indexed term contains it. */
const OPEN_MARK = '{';

/** The prefix of each indexed term: owner and zone. */
export const scopePrefix = (owner: number, zone: string): string => `${owner}${zoneMark(zone)}`;
const zoneMark = (zone: string): string => `${zone.charAt(0)}_`;

/** The terms of a row that is looked up in the same statement, with its owner inserted. */
const replaceText = ({ number, from }: TitleRow, key: string, type: string): string =>
  `update search_terms set terms = (
     select cast(replace(?, '${OPEN_MARK}', cast(e.owner_no as text) || ?) as ${type}) from ${from})
   where ${key} = (select ${number} from ${from})`;

export const termIndex = (sql: Sql): TermIndex =>
  sql.dialect === 'sqlite' ? fts5(sql) : vectors(sql);

/** Neither index splits at these characters or changes their case. */
const PLAIN = /^[a-z0-9\u0080-\uffff]*$/;

/** The term as it is indexed. One to one, and a prefix stays a prefix. */
const marked = (mark: string, term: string): string =>
  mark +
  (PLAIN.test(term)
    ? term
    : term.replace(
        /[\0-/:-`{-\x7f]/g,
        (char) => `_${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ));

/** Some 1 ms of SQLite: a word in every passage would hold everybody up. */
const SLICE = 10_000;

/**
 * The bound is cast because numbers beyond 32 bits are bound as reals. FTS5 would not use a real as a row-number bound
 * and would scan all matches from the first.
 */
const FIND = `select rowid from search_terms
  where search_terms match ? and rowid > cast(? as integer) order by rowid limit ?`;

function fts5(sql: Sql): TermIndex {
  return {
    add: async (passages) => {
      for (const { number, mark, terms } of passages)
        await sql.enqueueChange('insert into search_terms (rowid, terms) values (?, ?)', [
          number,
          terms.map((term) => marked(mark, term)).join(' '),
        ]);
    },
    replace: (row, zone, terms) =>
      sql.enqueueChange(replaceText(row, 'rowid', 'text'), [
        terms.map((term) => marked(OPEN_MARK, term)).join(' '),
        zoneMark(zone),
        ...row.values,
        ...row.values,
      ]),
    // One by one: a range would be looked for in the whole table.
    remove: async (from, to) => {
      for (let number = from; number < to; number++)
        await sql.enqueueChange('delete from search_terms where rowid = ?', [number]);
    },
    // Each form separately: most have no match, and an OR with one of those makes every match a fifth more expensive.
    find: async (atom, marks) => {
      const lists: (readonly number[])[] = [];
      for (const mark of marks)
        for (const { terms, prefix } of atom) {
          const phrase = terms.map((term) => `"${marked(mark, term)}"`).join(' + ');
          const list = await matchesOf(prefix ? `${phrase} *` : phrase);
          if (list.length > 0) lists.push(list);
        }
      return united(lists);
    },
  };

  async function matchesOf(query: string): Promise<readonly number[]> {
    const slices: (readonly number[])[] = [];
    for (let last = -1; ; await sql.yield()) {
      const slice = await sql.column<number>(FIND, [query, last, SLICE]);
      if (slice.length < SLICE && slices.length === 0) return slice;
      slices.push(slice);
      if (slice.length < SLICE) return ([] as number[]).concat(...slices);
      last = slice.at(-1) ?? last;
    }
  }
}

/** Merges ascending lists into one without duplicates. Merging in pairs keeps the time proportional to the numbers. */
function united(lists: readonly (readonly number[])[]): readonly number[] {
  let row = lists;
  while (row.length > 1) {
    const next: (readonly number[])[] = [];
    for (let i = 0; i < row.length; i += 2) next.push(unitedPair(row[i] ?? [], row[i + 1] ?? []));
    row = next;
  }
  return row[0] ?? [];
}

function unitedPair(left: readonly number[], right: readonly number[]): readonly number[] {
  if (right.length === 0) return left;
  const all: number[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i] ?? Infinity, right[j] ?? Infinity];
    all.push(Math.min(a, b));
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return all;
}

function vectors(sql: Sql): TermIndex {
  return {
    add: async (passages) => {
      const rows = passages.map(({ number, mark, terms }) => ({
        number,
        terms: vectorOf(mark, terms),
      }));
      await sql.enqueueChange(
        `insert into search_terms (number, terms)
         select row.number, row.terms::tsvector from jsonb_to_recordset(?::jsonb) as row (number bigint, terms text)`,
        [JSON.stringify(rows)],
      );
    },
    replace: (row, zone, terms) =>
      sql.enqueueChange(replaceText(row, 'number', 'tsvector'), [
        vectorOf(OPEN_MARK, terms),
        zoneMark(zone),
        ...row.values,
        ...row.values,
      ]),
    remove: async (from, to) => {
      const text = 'delete from search_terms where number >= ? and number < ?';
      // Many rows take long, and the caller waits for them.
      if (to - from > 1) await sql.run(text, [from, to]);
      else await sql.enqueueChange(text, [from, to]);
    },
    find: async (atom, marks) => {
      const query = marks
        .flatMap((mark) =>
          atom.map(({ terms, prefix }) => {
            const phrase = terms.map((term) => quoted(marked(mark, term))).join(' <-> ');
            return `(${prefix ? `${phrase}:*` : phrase})`;
          }),
        )
        .join(' | ');
      // Thousands of numbers are sent as one JSON text: a row for each would cost half as much again to read.
      const row = await sql.get<{ numbers: string | null }>(
        `select json_agg(number order by number)::text as numbers from search_terms
         where terms @@ ?::tsquery`,
        [query],
      );
      return JSON.parse(row?.numbers ?? '[]') as readonly number[];
    },
  };
}

const vectorOf = (mark: string, terms: readonly string[]): string =>
  terms.map((term, i) => `${quoted(marked(mark, term))}:${i + 1}`).join(' ');

const quoted = (lexeme: string): string => `'${lexeme}'`;
