import {
  conditionsIn,
  titleRowNumber,
  objectNumberOf,
  passageOrdinal,
  type QueryTerm,
  type SearchFilter,
  type SearchIndex,
} from '../../ports/search.ts';
import { endingWith } from '../text/index.ts';
import type { Query } from './query.ts';

/** The passages and title rows that match any term of a query, ascending, with one bit for each matched term. */
export interface MatchingPassages {
  readonly numbers: Float64Array;
  readonly bits: Uint32Array;
  readonly count: number;
}

export interface Matches {
  /** The terms that add to the score: bit i stands for the i-th. */
  readonly atoms: readonly QueryTerm[];
  /**
   * Document frequency of each term among passages and title rows of the requested visibility, regardless of other
   * filters.
   */
  readonly frequencies: readonly number[];
  /** Passages of matching objects; the bits of the title row are added to those of its passages. */
  readonly passages: MatchingPassages;
  /** Whether the title row of an object matches a term. */
  readonly named: (object: number) => boolean;
  /** The matching objects, newest first. */
  readonly objects: readonly number[];
}

/** A shorter prefix would match too many words. */
const MIN_GUESSED_LENGTH = 4;

export interface MatchOptions {
  /**
   * A word without matches is replaced by words with that beginning or ending: Miete matches Mietvertrag and
   * Kaltmiete.
   */
  readonly guess?: boolean;
}

/** Finds every object that matches the query and the filter, and the matched terms of each of its passages. */
export async function matchesOf(
  search: SearchIndex,
  query: Query,
  filter: SearchFilter,
  { guess = false }: MatchOptions = {},
): Promise<Matches> {
  const atoms = [...query.any, ...query.all];
  const lists: (readonly number[])[] = [];
  for (const [i, atom] of [...atoms, ...query.none].entries()) {
    let list = await search.occurrences(atom, filter.visibility);
    if (guess && list.length === 0 && i < query.any.length) {
      const longer = goingOn(atom);
      if (longer.length > 0) list = await search.occurrences(longer, filter.visibility);
      if (list.length > 0) atoms[i] = longer;
    }
    lists.push(list);
  }
  const frequencies = lists.slice(0, atoms.length).map((list) => list.length);

  const everything = atoms.length === 0 && query.none.length > 0;
  const admitted = everything || isNarrow(filter) ? await search.admitted(filter) : undefined;
  const holders = merged(lists);
  const found = matching(holders, demandOf(query), admitted);
  if (!everything) return { atoms, frequencies, ...found };

  // Only exclusions: all other objects match.
  const excluded = new Set<number>();
  for (let i = 0; i < holders.count; i++) excluded.add(objectNumberOf(holders.numbers[i] ?? 0));
  const rest = [...(admitted ?? [])].filter((object) => !excluded.has(object));
  return { atoms, frequencies, ...found, objects: rest.sort((a, b) => b - a) };
}

const goingOn = (atom: QueryTerm): QueryTerm =>
  atom
    .filter(
      ({ terms: [term = '', ...others] }) => !others.length && term.length >= MIN_GUESSED_LENGTH,
    )
    .flatMap(({ terms: [term = ''] }) => [
      { terms: [term], prefix: true },
      { terms: [endingWith(term)], prefix: true },
    ]);

const isNarrow = (filter: SearchFilter): boolean =>
  [filter.kinds, filter.docType, filter.collectionId, filter.objectIds].some(
    (part) => part !== undefined,
  ) || conditionsIn(filter) !== undefined;

interface Demand {
  readonly any: number;
  readonly all: number;
  readonly none: number;
}

function demandOf(query: Query): Demand {
  const bitsOf = (from: number, count: number) => ((2 ** count - 1) * 2 ** from) | 0;
  const [any, all] = [query.any.length, query.all.length];
  return {
    any: bitsOf(0, any),
    all: bitsOf(any, all),
    none: bitsOf(any + all, query.none.length),
  };
}

function matching(
  { numbers, bits, count }: MatchingPassages,
  demand: Demand,
  admitted: ReadonlySet<number> | undefined,
): Pick<Matches, 'passages' | 'named' | 'objects'> {
  const stored = emptyHolders(count);
  const objects: number[] = [];
  const named = new Float64Array(count);
  let heads = 0;
  let size = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const object = objectNumberOf(numbers[from] ?? 0);
    const next = titleRowNumber(object + 1);
    let held = 0;
    while (to < count && (numbers[to] ?? next) < next) held |= bits[to++] ?? 0;
    const asked = !demand.any || demand.all ? true : (held & demand.any) !== 0;
    if (!asked || (held & demand.all) !== demand.all || (held & demand.none) !== 0) continue;
    if (admitted && !admitted.has(object)) continue;
    objects.push(object);
    const hasHead = passageOrdinal(numbers[from] ?? 0) < 0;
    if (hasHead) named[heads++] = object;
    const head = hasHead ? (bits[from] ?? 0) : 0;
    // The title row counts separately only if no passage matches.
    for (let i = hasHead && to > from + 1 ? from + 1 : from; i < to; i++) {
      stored.numbers[size] = numbers[i] ?? 0;
      stored.bits[size++] = (bits[i] ?? 0) | head;
    }
  }
  return {
    passages: { ...stored, count: size },
    named: amongAscending(named.subarray(0, heads)),
    objects: objects.reverse(),
  };
}

/** Building a set of a hundred thousand entries would cost more than its few lookups. */
function amongAscending(numbers: Float64Array): (number: number) => boolean {
  return (number) => {
    let [from, to] = [0, numbers.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((numbers[middle] ?? 0) < number) from = middle + 1;
      else to = middle;
    }
    return numbers[from] === number;
  };
}

const emptyHolders = (size: number) => ({
  numbers: new Float64Array(size),
  bits: new Uint32Array(size),
});

/** Merges ascending lists pairwise; the i-th list sets bit i. */
function merged(lists: readonly (readonly number[])[]): MatchingPassages {
  let row: MatchingPassages[] = lists.map((list, i) => ({
    numbers: packed(list),
    bits: new Uint32Array(list.length).fill(2 ** i),
    count: list.length,
  }));
  while (row.length > 1) {
    const next: MatchingPassages[] = [];
    for (let i = 0; i < row.length; i += 2) {
      const [left, right] = [row[i], row[i + 1]];
      if (left) next.push(right ? mergedPair(left, right) : left);
    }
    row = next;
  }
  return row[0] ?? { ...emptyHolders(0), count: 0 };
}

/** Copied into an array of integers: V8 would store the database's generic array at five times the cost. */
function packed(list: readonly number[]): Float64Array {
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) numbers[i] = list[i] ?? 0;
  return numbers;
}

function mergedPair(left: MatchingPassages, right: MatchingPassages): MatchingPassages {
  const { numbers, bits } = emptyHolders(left.count + right.count);
  let [i, j, count] = [0, 0, 0];
  while (i < left.count || j < right.count) {
    const a = i < left.count ? (left.numbers[i] ?? 0) : Infinity;
    const b = j < right.count ? (right.numbers[j] ?? 0) : Infinity;
    numbers[count] = Math.min(a, b);
    let held = 0;
    if (a <= b) held |= left.bits[i++] ?? 0;
    if (b <= a) held |= right.bits[j++] ?? 0;
    bits[count++] = held;
  }
  return { numbers, bits, count };
}
