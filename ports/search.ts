import type { DocType } from './objects.ts';
import type { ObjectKind } from './text-extraction.ts';
import type { Instant } from './time-and-ids.ts';

/** Where an object stands for a search. An `excluded` one (in the trash) is kept and never found. */
export type SearchZone = 'visible' | 'hidden' | 'excluded';

/** What is known of an object beside its text. */
export interface SearchEntry {
  readonly objectId: string;
  readonly zone: SearchZone;
  readonly kind: ObjectKind;
  readonly docType: DocType;
  readonly collectionId: string | null;
  readonly createdAt: Instant;
  /** The terms of its names, in order: its head, which is searched beside its passages. */
  readonly head: readonly string[];
}

/** A piece of an object's text. Offsets count Unicode code points, end exclusive. */
export interface TextSpan {
  /** The passage's place in its object, from 0. */
  readonly ord: number;
  readonly charStart: number;
  readonly charEnd: number;
  /** Exactly the text between the two. */
  readonly text: string;
}

export interface IndexedPassage extends TextSpan {
  /** In order. A term has no white space and at most 100 code points; see also `GAP`. */
  readonly terms: readonly string[];
}

/** Stands among terms where the ones before and after are not neighbours. Nothing is found by it. */
export const GAP = '|';

/** Neighbouring terms, of which the last may stand for every term that begins with it. */
export interface Run {
  readonly terms: readonly string[];
  readonly prefix: boolean;
}

/** One thing looked for, in any of these forms. */
export type Atom = readonly Run[];

export type SearchVisibility = 'visible' | 'hidden' | 'any';

export interface SearchFilter {
  readonly visibility: SearchVisibility;
  /** Any of these kinds; all kinds when left out. */
  readonly kinds?: readonly ObjectKind[];
  readonly docType?: DocType;
  /** A folder's id, or null for objects that lie in none. */
  readonly collectionId?: string | null;
  readonly objectIds?: readonly string[];
}

export interface SearchStatistics {
  readonly objects: number;
  /** Without heads. */
  readonly passages: number;
  /** Terms in those passages. */
  readonly terms: number;
}

/** Passages of one object that can be told apart by their last 20 bits. */
const PASSAGES_PER_OBJECT = 2 ** 20;

/** More would run into the next object's numbers. */
export const MAX_PASSAGES = PASSAGES_PER_OBJECT - 1;

/**
 * Passages are known by number while one unit of work lasts. Numbers ascend with the time an object was first placed;
 * within an object the head comes first and the passages follow in order.
 */
export const passageNumber = (objectNumber: number, ord: number): number =>
  objectNumber * PASSAGES_PER_OBJECT + ord + 1;
export const headNumber = (objectNumber: number): number => objectNumber * PASSAGES_PER_OBJECT;
export const objectNumberOf = (passage: number): number =>
  Math.floor(passage / PASSAGES_PER_OBJECT);
/** -1 for a head. */
export const ordOf = (passage: number): number => (passage % PASSAGES_PER_OBJECT) - 1;

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
 * The analysed texts of one owner's objects. It knows nothing of languages or scores: what a term is and what a match
 * is worth is decided by the core, so that every database ranks alike.
 *
 * Contract (contract-tests/suites/search-index.ts):
 * - What was put is found by its terms, by runs of neighbouring terms and by prefixes, in passages and heads alike.
 * - A run does not reach across a gap, across passages or from the head into the text.
 * - Occurrences come in ascending order, each passage once, and know objects of the asked visibility only.
 * - However many passages hold an atom, all of them are told.
 * - Placing an object anew changes its facts and keeps its passages and its number; putting anew replaces its passages.
 * - Renaming an object changes its head alone; renaming one that was never placed changes nothing.
 * - An excluded object is found by nothing and counts in nothing until it is placed anew.
 * - A dropped object is gone; dropping a missing one changes nothing; putting passages of one that was never placed rejects.
 * - Statistics count the objects of the asked visibility after any sequence of changes.
 * - `admitted` gives the numbers of the objects that pass every part of the filter.
 * - Terms and texts are given back as they were put, astral characters included.
 * - Another owner's objects are out of reach and change neither statistics nor order.
 */
export interface SearchIndex {
  /** Makes an object known, or changes what is known of it. */
  place(entry: SearchEntry): Promise<void>;
  /** Gives an object that stands in `zone` another head: what can be done without looking at what is known of it. */
  rename(objectId: string, zone: SearchZone, head: readonly string[]): Promise<void>;
  /** Replaces the object's passages, of which there are at most `MAX_PASSAGES`, with `ord` counting from 0. */
  put(objectId: string, passages: readonly IndexedPassage[]): Promise<void>;
  drop(objectId: string): Promise<void>;

  statistics(visibility: SearchVisibility): Promise<SearchStatistics>;
  /** The numbers of the passages and heads that hold the atom. */
  occurrences(atom: Atom, visibility: SearchVisibility): Promise<readonly number[]>;
  /** The numbers of the objects that pass. */
  admitted(filter: SearchFilter): Promise<ReadonlySet<number>>;
  /**
   * The terms of passages or heads, in the order asked for, each row joined by single spaces: whoever counts a few of
   * them need not take it apart. '' for a number that is not there.
   */
  terms(passages: readonly number[]): Promise<readonly string[]>;
  /** The texts of those of the passages that are there, in no promised order. Heads have none. */
  texts(passages: readonly number[]): Promise<readonly NumberedPassage[]>;
  /** Those of the objects that are there, in no promised order. */
  identify(objects: readonly number[]): Promise<readonly NumberedObject[]>;
  /** An object's passages in order from `ord` on, whatever its zone; none for an object that is not known. */
  passagesOf(objectId: string, ord: number, limit: number): Promise<readonly TextSpan[]>;
}
