import type { DocType, ObjectFilter, ObjectOrder } from './objects.ts';
import type { PageRequest } from './paging.ts';
import type { ObjectKind } from './text-extraction.ts';
import type { Instant } from './runtime.ts';

/** The zone of an object in the index. An `excluded` one (in the trash) is stored and never found. */
export type SearchZone = 'visible' | 'hidden' | 'excluded';

/** Metadata of an object for search. */
export interface SearchEntry {
  readonly objectId: string;
  readonly zone: SearchZone;
  readonly kind: ObjectKind;
  readonly docType: DocType;
  readonly collectionId: string | null;
  readonly createdAt: Instant;
  /** The terms of its names, in order: its title row, which is searched like its passages. */
  readonly head: readonly string[];
}

/** A piece of an object's text. Offsets count Unicode code points, end exclusive. */
export interface TextSpan {
  /** Index of the passage in its object, from 0. */
  readonly ord: number;
  readonly charStart: number;
  readonly charEnd: number;
  /** Exactly the text of that range. */
  readonly text: string;
}

export interface IndexedPassage extends TextSpan {
  /** In order. A term has no white space and at most 100 code points; see also `TERM_GAP`. */
  readonly terms: readonly string[];
}

/** Separates terms that are not neighbours. It is never matched. */
export const TERM_GAP = '|';

/** Neighbouring terms, of which the last may be a prefix. */
export interface TermSequence {
  readonly terms: readonly string[];
  readonly prefix: boolean;
}

/** One query term, in any of these forms. */
export type QueryTerm = readonly TermSequence[];

export type SearchVisibility = 'visible' | 'hidden' | 'any';

/** Conditions that are checked on the objects themselves, since the index does not repeat these fields. */
export const OBJECT_CONDITIONS = [
  'status',
  'themeId',
  'category',
  'hasSuggestion',
  'suggestionFolders',
  'contentHash',
  'createdFrom',
  'createdTo',
] as const satisfies readonly (keyof ObjectFilter)[];

export type ObjectConditions = Pick<ObjectFilter, (typeof OBJECT_CONDITIONS)[number]>;

export interface SearchFilter extends ObjectConditions {
  readonly visibility: SearchVisibility;
  /** Any of these kinds; all kinds if absent. */
  readonly kinds?: readonly ObjectKind[];
  readonly docType?: DocType;
  /** A folder's id, or null for objects in no folder. */
  readonly collectionId?: string | null;
  /** Any of these folders; all objects, with or without a folder, if absent. */
  readonly collectionIds?: readonly string[];
  readonly objectIds?: readonly string[];
}

/** Those of the conditions that a filter has; undefined if it has none. */
export function conditionsIn(filter: SearchFilter): ObjectConditions | undefined {
  const given = OBJECT_CONDITIONS.filter((name) => filter[name] !== undefined);
  return given.length > 0
    ? Object.fromEntries(given.map((name) => [name, filter[name]]))
    : undefined;
}

export interface SearchStatistics {
  readonly objects: number;
  /** Without title rows. */
  readonly passages: number;
  /** Terms in those passages. */
  readonly terms: number;
}

/** Passages of one object, limited by the 20 low bits that number them. */
const PASSAGES_PER_OBJECT = 2 ** 20;

/** More would overlap the next object's numbers. */
export const MAX_PASSAGES = PASSAGES_PER_OBJECT - 1;

/**
 * Passage numbers are valid for one unit of work. They ascend with the time an object was first indexed; within an
 * object the title row comes first and the passages follow in order.
 */
export const passageNumber = (objectNumber: number, ord: number): number =>
  objectNumber * PASSAGES_PER_OBJECT + ord + 1;
export const titleRowNumber = (objectNumber: number): number => objectNumber * PASSAGES_PER_OBJECT;
export const objectNumberOf = (passage: number): number =>
  Math.floor(passage / PASSAGES_PER_OBJECT);
/** -1 for a title row. */
export const passageOrdinal = (passage: number): number => (passage % PASSAGES_PER_OBJECT) - 1;

export interface NumberedObject {
  readonly number: number;
  readonly objectId: string;
  readonly createdAt: Instant;
}

export interface NumberedPassage extends TextSpan {
  readonly number: number;
  readonly objectId: string;
}

/**
 * The inverted index of one owner's objects. It knows no languages and no scores: the core defines terms and ranks
 * matches, so that every database ranks alike.
 *
 * Contract (contract-tests/suites/search-index.ts):
 * - Indexed text is found by its terms, by sequences of neighbouring terms and by prefixes, in passages and title
 *   rows alike.
 * - A sequence does not match across a gap, across passages or from the title row into the text.
 * - Occurrences are in ascending order, each passage once, for objects of the requested visibility only.
 * - All passages with a query term are returned, however many.
 * - Indexing an object's metadata again preserves its passages and its number. Storing passages again replaces them.
 * - Renaming an object changes its title row only. Renaming one that is not indexed changes nothing.
 * - An excluded object is neither found nor counted until its zone changes again.
 * - A dropped object is removed. Dropping a missing one changes nothing. Storing passages of an object that is not
 *   indexed rejects.
 * - Statistics count the objects of the requested visibility after any sequence of changes.
 * - Statistics of some folders count the objects in them.
 * - `admitted` returns the numbers of the objects that pass every part of the filter.
 * - `admitted` checks some conditions on the objects themselves: status, theme, category, suggestion, time of creation.
 * - `inOrder` returns a page of the requested objects, each in its place in an order of lists.
 * - Terms and texts are returned unchanged, astral characters included.
 * - Another owner's objects are out of reach and affect neither statistics nor order.
 */
export interface SearchIndex {
  /** Indexes the metadata of an object, or changes it. */
  place(entry: SearchEntry): Promise<void>;
  /** Replaces the title row of an object in `zone`, without reading its other metadata. */
  rename(objectId: string, zone: SearchZone, head: readonly string[]): Promise<void>;
  /** Replaces the object's passages, at most `MAX_PASSAGES`, with `ord` from 0. */
  put(objectId: string, passages: readonly IndexedPassage[]): Promise<void>;
  drop(objectId: string): Promise<void>;

  statistics(
    visibility: SearchVisibility,
    collectionIds?: readonly string[],
  ): Promise<SearchStatistics>;
  /** The numbers of the passages and title rows that match the query term. */
  occurrences(atom: QueryTerm, visibility: SearchVisibility): Promise<readonly number[]>;
  /** The numbers of the objects that pass the filter. */
  admitted(filter: SearchFilter): Promise<ReadonlySet<number>>;
  /** A page of those of the objects that exist. */
  inOrder(
    objects: readonly number[],
    order: ObjectOrder,
    request: PageRequest,
  ): Promise<readonly number[]>;
  /**
   * The terms of passages or title rows, in request order, each row joined by single spaces, so that a caller that
   * counts a few need not split it. '' for a missing number.
   */
  terms(passages: readonly number[]): Promise<readonly string[]>;
  /** The texts of those of the passages that exist, in no promised order. Title rows have none. */
  texts(passages: readonly number[]): Promise<readonly NumberedPassage[]>;
  /** Those of the objects that exist, in no promised order. */
  identify(objects: readonly number[]): Promise<readonly NumberedObject[]>;
  /** An object's passages in order from `ord` on, in any zone; none for an object that is not indexed. */
  passagesOf(objectId: string, ord: number, limit: number): Promise<readonly TextSpan[]>;
}
