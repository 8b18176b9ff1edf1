import type { QueryTerm } from '../../ports/search.ts';
import { primaryStem, isAscii, memoize } from '../text/index.ts';

export interface Reranker {
  /** Added to the score; never negative. */
  readonly gain: number;
  /** Weight of query terms that the passage matches only by similarity. */
  readonly resembled: number;
}

/** Maximum value of a similar term, relative to an exact match. */
const RESEMBLANCE = 0.9;
/** Bonus for two adjacent words in query order, relative to the smaller weight. */
const TOGETHER = 0.3;
const NEAR = 2;

const MIN_COMMON_PREFIX = 4;
const MIN_PART_LENGTH = 5;

/**
 * Finer signals for the best few dozen passages: words that share a prefix or a compound with a missing query term,
 * and adjacent query terms. Reads a row of terms joined by single spaces and returns the score to add. Most rows have
 * no such signal, and are not split.
 */
export function createReranker(
  atoms: readonly QueryTerm[],
  weights: readonly number[],
): (row: string, bits: number) => Reranker {
  const words = atoms.map((atom) =>
    atom.flatMap((run) => (run.terms.length === 1 ? run.terms : [])),
  );
  const resembling = termSimilarities(words.map((forms) => forms[0] ?? ''));
  const mayResemble = words.map(([form = '']) => traceOf(form));
  const places = new Map<string, number[]>();
  words.forEach((forms, atom) => {
    for (const form of forms) places.set(form, [...(places.get(form) ?? []), atom]);
  });

  const pairs = words.map(([form = '']) => IDEOGRAPHS.test(form));
  const holds = (bits: number, atom: number) => (bits & (2 ** atom)) !== 0;
  const mayOccur = (bits: number) =>
    weights.some(
      (_, atom) => holds(bits, atom) && holds(bits, atom + 1) && !pairs[atom] && !pairs[atom + 1],
    );

  return (row, bits) => {
    const missing = mayResemble.some((may, atom) => !holds(bits, atom) && may(row));
    if (!missing && !mayOccur(bits)) return NO_GAIN;
    const likeness = atoms.map(() => 0);
    const positions: number[][] = atoms.map(() => []);
    row.split(' ').forEach((term, at) => {
      for (const atom of places.get(term) ?? []) positions[atom]?.push(at);
      if (!missing) return;
      for (const { atom, share } of resembling(term))
        likeness[atom] = Math.max(likeness[atom] ?? 0, share);
    });
    let resembled = 0;
    let together = 0;
    weights.forEach((weight, atom) => {
      if (!holds(bits, atom)) resembled += weight * (likeness[atom] ?? 0);
      const next = weights[atom + 1];
      if (next === undefined || pairs[atom] || pairs[atom + 1]) return;
      if (occurrence(positions[atom] ?? [], positions[atom + 1] ?? []))
        together += Math.min(weight, next);
    });
    return { gain: RESEMBLANCE * resembled + TOGETHER * together, resembled };
  };
}

/** Whether a row may contain a term similar to the word: it contains its prefix or a substring of it. */
function traceOf(word: string): (row: string) => boolean {
  if (word.length < MIN_COMMON_PREFIX) return () => false;
  const beginning = word.slice(0, MIN_COMMON_PREFIX);
  const traces = [` ${beginning}`];
  if (word.length < MIN_PART_LENGTH) traces.push(word);
  for (let at = 0; at + MIN_PART_LENGTH <= word.length; at++)
    traces.push(word.slice(at, at + MIN_PART_LENGTH));
  return (row) => row.startsWith(beginning) || traces.some((trace) => row.includes(trace));
}

/** Bigrams overlap: they are adjacent within a word anyway, so adjacency is no signal. */
const IDEOGRAPHS = /^[^\0-\u0dff]/;
const NO_GAIN: Reranker = { gain: 0, resembled: 0 };

const occurrence = (a: readonly number[], b: readonly number[]): boolean =>
  a.some((x) => b.some((y) => Math.abs(x - y) <= NEAR));

const TERMS_KEPT = 10_000;
const NONE: readonly TermSimilarity[] = [];

export interface TermSimilarity {
  readonly atom: number;
  /** 0 to 1. */
  readonly share: number;
}

/** The words to which a term is similar. Terms repeat across passages, so the result is cached. */
export function termSimilarities(
  words: readonly string[],
): (term: string) => readonly TermSimilarity[] {
  const long = words.flatMap((word, atom) =>
    word.length < MIN_COMMON_PREFIX ? [] : [{ word, atom }],
  );
  const look = memoize(TERMS_KEPT, (term): readonly TermSimilarity[] => {
    let found: TermSimilarity[] | undefined;
    for (const { word, atom } of long) {
      const share = Math.max(commonBeginning(term, word), compound(term, word));
      if (share > 0) (found ??= []).push({ atom, share });
    }
    return found ?? NONE;
  });
  return (term) => (term.length < MIN_COMMON_PREFIX || long.length === 0 ? NONE : look(term));
}

/** Maximum number of final letters that a stemmer replaces. */
const PUT_ANEW = 2;

/**
 * The same for unstemmed words, by their primary stems. A stem is a prefix of its word except for its last letters,
 * which rules most words out. Stemming one costs a hundred times as much.
 */
export function wordResemblances(
  words: readonly string[],
): (plain: string) => readonly TermSimilarity[] {
  const resembling = termSimilarities(words);
  const long = words.filter((word) => word.length >= MIN_COMMON_PREFIX);
  const sought = long.map((word) => ({
    word,
    beginning: word.slice(0, MIN_COMMON_PREFIX - PUT_ANEW),
    body: word.slice(0, -PUT_ANEW),
  }));
  const mayResemble = (plain: string): boolean => {
    const least = plain.slice(0, MIN_PART_LENGTH - PUT_ANEW);
    return sought.some(
      ({ word, beginning, body }) =>
        plain.startsWith(beginning) || plain.includes(body) || word.includes(least),
    );
  };
  return (plain) => (isAscii(plain) && !mayResemble(plain) ? NONE : resembling(primaryStem(plain)));
}

function commonBeginning(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let common = 0;
  while (common < most && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common < MIN_COMMON_PREFIX ? 0 : common / Math.max(a.length, b.length);
}

function compound(term: string, word: string): number {
  if (word.length >= MIN_COMMON_PREFIX && term.endsWith(word)) return 0.6;
  if (Math.min(term.length, word.length) < MIN_PART_LENGTH) return 0;
  if (term.includes(word)) return 0.6;
  return word.includes(term) ? (0.8 * term.length) / word.length : 0;
}
