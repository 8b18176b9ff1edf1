import type { Collection } from '../../ports/library.ts';
import { positionIn, type StoredObject } from '../../ports/objects.ts';
import {
  conditionsIn,
  TERM_GAP,
  titleRowNumber,
  objectNumberOf,
  passageNumber,
  type IndexedPassage,
  type TermSequence,
  type SearchEntry,
  type SearchFilter,
  type SearchIndex,
  type SearchVisibility,
} from '../../ports/search.ts';
import { createMatcher, ORDERS } from './object-filter.ts';
import { SnapshotMap } from './snapshot-map.ts';

interface Indexed {
  readonly number: number;
  readonly entry: SearchEntry;
  readonly passages: readonly IndexedPassage[];
  /** Every term of title row and passages, with the numbers of the rows that contain it. */
  readonly holders: ReadonlyMap<string, readonly number[]>;
  readonly terms: number;
}

/** The indexed objects of one owner. */
export interface MemorySearchState {
  readonly objects: SnapshotMap<string, Indexed>;
  /** The number the next object gets. */
  next: number;
}

export const emptySearchState = (): MemorySearchState => ({ objects: new SnapshotMap(), next: 1 });

/** A writable copy. The original does not change from here on. */
export function copySearchState({ objects, next }: MemorySearchState): MemorySearchState {
  objects.seal();
  return { objects: objects.fork(), next };
}

/** The objects themselves, and their folders. */
interface SearchedTables {
  readonly objects: { get(id: string): StoredObject | undefined };
  readonly collections: { get(id: string): Collection | undefined };
}

export function memorySearch(state: MemorySearchState, tables: SearchedTables): SearchIndex {
  const { objects } = state;
  const seen = (visibility: SearchVisibility): readonly Indexed[] =>
    objects.values().filter(({ entry }) => inSight(entry, visibility));
  const numbered = (numbers: readonly number[]): ReadonlyMap<number, Indexed> => {
    const requested = new Set(numbers);
    const found = objects.values().filter(({ number }) => requested.has(number));
    return new Map(found.map((indexed) => [indexed.number, indexed]));
  };

  return {
    place: async (entry) => {
      const known = objects.get(entry.objectId);
      objects.set(
        entry.objectId,
        indexedOf(known?.number ?? state.next++, structuredClone(entry), known?.passages ?? []),
      );
    },
    rename: async (objectId, _zone, head) => {
      const known = objects.get(objectId);
      if (!known) return;
      const entry = { ...known.entry, head: [...head] };
      objects.set(objectId, indexedOf(known.number, entry, known.passages));
    },
    put: async (objectId, passages) => {
      const known = objects.get(objectId);
      if (!known) throw new Error('Passages were stored for an object that is not indexed.');
      objects.set(objectId, indexedOf(known.number, known.entry, structuredClone(passages)));
    },
    drop: async (objectId) => {
      objects.delete(objectId);
    },
    statistics: async (visibility, collectionIds) => {
      const sums = { objects: 0, passages: 0, terms: 0 };
      for (const { entry, passages, terms } of seen(visibility)) {
        if (!isAmong(entry, collectionIds)) continue;
        sums.objects += 1;
        sums.passages += passages.length;
        sums.terms += terms;
      }
      return sums;
    },
    occurrences: async (atom, visibility) => {
      const found = new Set<number>();
      for (const indexed of seen(visibility))
        for (const run of atom) for (const number of occurrencesIn(indexed, run)) found.add(number);
      return [...found].sort((a, b) => a - b);
    },
    admitted: async (filter) => {
      const numbers = new Set<number>();
      const matches = objectCheck(tables, filter);
      for (const { entry, number } of seen(filter.visibility))
        if (passes(entry, filter) && matches(entry.objectId)) numbers.add(number);
      return numbers;
    },
    inOrder: async (numbers, order, { limit, offset }) => {
      const found = [...numbered(numbers).values()].flatMap(({ number, entry }) => {
        const object = tables.objects.get(entry.objectId);
        return object ? [{ number, at: positionIn(order, object) }] : [];
      });
      return found
        .sort((a, b) => ORDERS[order](a.at, b.at))
        .slice(offset, offset + limit)
        .map(({ number }) => number);
    },
    terms: async (numbers) => {
      const holders = numbered(numbers.map(objectNumberOf));
      return numbers.map((number) => {
        const indexed = holders.get(objectNumberOf(number));
        return indexed ? termsOf(indexed, number).join(' ') : '';
      });
    },
    texts: async (numbers) => {
      const holders = numbered(numbers.map(objectNumberOf));
      return numbers.flatMap((number) => {
        const indexed = holders.get(objectNumberOf(number));
        const passage = indexed && passageOf(indexed, number);
        if (!passage) return [];
        const { ord, charStart, charEnd, text } = passage;
        return [{ number, objectId: indexed.entry.objectId, ord, charStart, charEnd, text }];
      });
    },
    identify: async (numbers) =>
      [...numbered(numbers).values()].map(({ number, entry: { objectId, createdAt } }) => ({
        number,
        objectId,
        createdAt,
      })),
    passagesOf: async (objectId, ord, limit) =>
      (objects.get(objectId)?.passages ?? [])
        .slice(ord, ord + limit)
        .map(({ terms: _, ...span }) => span),
  };
}

/** Whether an object passes the conditions that are checked on the objects themselves. */
function objectCheck(
  { objects, collections }: SearchedTables,
  filter: SearchFilter,
): (objectId: string) => boolean {
  const conditions = conditionsIn(filter);
  if (!conditions) return () => true;
  const matches = createMatcher(collections, { ...conditions, visibility: 'any', trashed: false });
  return (objectId) => {
    const object = objects.get(objectId);
    return object !== undefined && matches(object);
  };
}

function indexedOf(
  number: number,
  entry: SearchEntry,
  passages: readonly IndexedPassage[],
): Indexed {
  const holders = new Map<string, number[]>();
  let terms = 0;
  const hold = (holder: number, held: readonly string[]) => {
    for (const term of new Set(held)) {
      const numbers = holders.get(term);
      if (numbers) numbers.push(holder);
      else holders.set(term, [holder]);
    }
  };
  hold(titleRowNumber(number), entry.head);
  for (const passage of passages) {
    hold(passageNumber(number, passage.ord), passage.terms);
    terms += passage.terms.length;
  }
  holders.delete(TERM_GAP);
  return { number, entry, passages, holders, terms };
}

function occurrencesIn(indexed: Indexed, run: TermSequence): readonly number[] {
  const [first, ...others] = run.terms;
  if (first === undefined) return [];
  if (others.length)
    return (indexed.holders.get(first) ?? []).filter((number) =>
      holdsRun(termsOf(indexed, number), run),
    );
  return run.prefix
    ? [...indexed.holders].flatMap(([term, numbers]) => (term.startsWith(first) ? numbers : []))
    : (indexed.holders.get(first) ?? []);
}

const holdsRun = (terms: readonly string[], run: TermSequence): boolean =>
  terms.some((_, start) =>
    run.terms.every((term, i) => {
      const there = terms[start + i];
      return run.prefix && i === run.terms.length - 1 ? there?.startsWith(term) : there === term;
    }),
  );

const passageOf = (indexed: Indexed, number: number): IndexedPassage | undefined =>
  indexed.passages[number - passageNumber(indexed.number, 0)];

const termsOf = (indexed: Indexed, number: number): readonly string[] =>
  number === titleRowNumber(indexed.number)
    ? indexed.entry.head
    : (passageOf(indexed, number)?.terms ?? []);

const inSight = ({ zone }: SearchEntry, visibility: SearchVisibility): boolean =>
  visibility === 'any' ? zone !== 'excluded' : zone === visibility;

const isAmong = (
  { collectionId }: SearchEntry,
  collectionIds: readonly string[] | undefined,
): boolean =>
  collectionIds === undefined || (collectionId !== null && collectionIds.includes(collectionId));

const passes = (entry: SearchEntry, filter: SearchFilter): boolean =>
  (!filter.kinds || filter.kinds.includes(entry.kind)) &&
  (filter.docType === undefined || filter.docType === entry.docType) &&
  (filter.collectionId === undefined || filter.collectionId === entry.collectionId) &&
  isAmong(entry, filter.collectionIds) &&
  (!filter.objectIds || filter.objectIds.includes(entry.objectId));
