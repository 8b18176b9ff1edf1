import {
  headNumber,
  objectNumberOf,
  ordOf,
  type Atom,
  type SearchFilter,
  type SearchIndex,
} from '../../ports/search.ts';
import { endingWith } from '../text/index.ts';
import type { Query } from './query.ts';

/** The passages and heads that hold something of a query, ascending, with one bit for each atom they hold. */
export interface Holders {
  readonly numbers: Float64Array;
  readonly bits: Uint32Array;
  readonly count: number;
}

export interface Matches {
  /** The atoms that add to the score: bit i stands for the i-th. */
  readonly atoms: readonly Atom[];
  /** How many passages and heads of the asked visibility hold each, whatever else the filter says. */
  readonly frequencies: readonly number[];
  /** Passages of matching objects that hold an atom; the bits of the head are added to those of its passages. */
  readonly passages: Holders;
  /** Whether the head of an object holds an atom. */
  readonly named: (object: number) => boolean;
  /** The objects that match, newest first. */
  readonly objects: readonly number[];
}

/** A shorter beginning would be that of too many words. */
const LEAST_GUESSED = 4;

export interface MatchOptions {
  /** A word that is nowhere stands for words that begin or end with it: Miete for Mietvertrag and Kaltmiete. */
  readonly guess?: boolean;
}

/** Finds every object the query and the filter ask for, and what each of its passages holds. */
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

  // Nothing but exclusions: all the rest.
  const excluded = new Set<number>();
  for (let i = 0; i < holders.count; i++) excluded.add(objectNumberOf(holders.numbers[i] ?? 0));
  const rest = [...(admitted ?? [])].filter((object) => !excluded.has(object));
  return { atoms, frequencies, ...found, objects: rest.sort((a, b) => b - a) };
}

const goingOn = (atom: Atom): Atom =>
  atom
    .filter(({ terms: [term = '', ...others] }) => !others.length && term.length >= LEAST_GUESSED)
    .flatMap(({ terms: [term = ''] }) => [
      { terms: [term], prefix: true },
      { terms: [endingWith(term)], prefix: true },
    ]);

const isNarrow = ({ kinds, docType, collectionId, objectIds }: SearchFilter): boolean =>
  [kinds, docType, collectionId, objectIds].some((part) => part !== undefined);

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
  { numbers, bits, count }: Holders,
  demand: Demand,
  admitted: ReadonlySet<number> | undefined,
): Pick<Matches, 'passages' | 'named' | 'objects'> {
  const kept = emptyHolders(count);
  const objects: number[] = [];
  const named = new Float64Array(count);
  let heads = 0;
  let size = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const object = objectNumberOf(numbers[from] ?? 0);
    const next = headNumber(object + 1);
    let held = 0;
    while (to < count && (numbers[to] ?? next) < next) held |= bits[to++] ?? 0;
    const asked = !demand.any || demand.all ? true : (held & demand.any) !== 0;
    if (!asked || (held & demand.all) !== demand.all || (held & demand.none) !== 0) continue;
    if (admitted && !admitted.has(object)) continue;
    objects.push(object);
    const hasHead = ordOf(numbers[from] ?? 0) < 0;
    if (hasHead) named[heads++] = object;
    const head = hasHead ? (bits[from] ?? 0) : 0;
    // The head stands for itself only where no passage holds anything.
    for (let i = hasHead && to > from + 1 ? from + 1 : from; i < to; i++) {
      kept.numbers[size] = numbers[i] ?? 0;
      kept.bits[size++] = (bits[i] ?? 0) | head;
    }
  }
  return {
    passages: { ...kept, count: size },
    named: amongAscending(named.subarray(0, heads)),
    objects: objects.reverse(),
  };
}

/** A set of a hundred thousand would take longer to make than all of its few look-ups. */
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

/** Merges ascending lists two by two; the i-th list gives bit i. */
function merged(lists: readonly (readonly number[])[]): Holders {
  let row: Holders[] = lists.map((list, i) => ({
    numbers: packed(list),
    bits: new Uint32Array(list.length).fill(2 ** i),
    count: list.length,
  }));
  while (row.length > 1) {
    const next: Holders[] = [];
    for (let i = 0; i < row.length; i += 2) {
      const [left, right] = [row[i], row[i + 1]];
      if (left) next.push(right ? mergedPair(left, right) : left);
    }
    row = next;
  }
  return row[0] ?? { ...emptyHolders(0), count: 0 };
}

/** What a database gives is a list of anything to the engine, and taken over as such it would cost five times as much. */
function packed(list: readonly number[]): Float64Array {
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) numbers[i] = list[i] ?? 0;
  return numbers;
}

function mergedPair(left: Holders, right: Holders): Holders {
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
