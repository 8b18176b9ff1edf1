import type { QueryTerm, SearchStatistics } from '../../ports/search.ts';

/** Term-frequency saturation and length normalisation (BM25). */
const K1 = 1.2;
const B = 0.75;
/** Weight of a term in an object's name, as a number of occurrences in its text. */
const HEAD = 2.5;

/**
 * Weight of a query term by rarity (BM25's inverse document frequency, never negative). A term without matches counts
 * as one match, so that in a small collection missing words do not outweigh found ones.
 */
export const weightsOf = (
  frequencies: readonly number[],
  { passages, objects }: SearchStatistics,
): readonly number[] =>
  frequencies.map((found) => {
    const frequency = Math.max(found, 1);
    const all = Math.max(passages + objects, frequency);
    return Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
  });

/** Statistics of a row of terms. */
export interface Counted {
  /** Frequency of each query term in it. */
  readonly counts: readonly number[];
  /** Number of terms in the row. */
  readonly length: number;
}

interface Sought {
  readonly atom: number;
  /** The terms of a sequence, joined like a row. */
  readonly text: string;
  readonly prefix: boolean;
}

/** Parses rows of terms joined by single spaces, as returned by the index. */
export function counterFor(atoms: readonly QueryTerm[]): (row: string) => Counted {
  const byLetter = new Map<number, Sought[]>();
  atoms.forEach((runs, atom) => {
    for (const { terms, prefix } of runs) {
      if (terms.length === 0) continue;
      const sought = { atom, text: terms.join(' '), prefix };
      const letter = sought.text.charCodeAt(0);
      byLetter.set(letter, [...(byLetter.get(letter) ?? []), sought]);
    }
  });
  return (row) => {
    const counts = atoms.map(() => 0);
    let length = 0;
    for (let at = 0; at < row.length; length += 1) {
      const sought = byLetter.get(row.charCodeAt(at));
      if (sought)
        for (const each of sought)
          if (occurs(each, row, at)) counts[each.atom] = (counts[each.atom] ?? 0) + 1;
      const end = row.indexOf(' ', at);
      at = end === -1 ? row.length : end + 1;
    }
    return { counts, length };
  };
}

function occurs({ text, prefix }: Sought, row: string, at: number): boolean {
  if (!row.startsWith(text, at)) return false;
  const end = at + text.length;
  return prefix || end === row.length || row.charCodeAt(end) === SPACE;
}

const SPACE = 32;

/** BM25 over the passage and its object's name. */
export function scorer(
  weights: readonly number[],
  { passages, terms }: SearchStatistics,
): (inText: readonly number[], length: number, inHead: readonly number[]) => number {
  const average = passages ? terms / passages : 1;
  return (inText, length, inHead) => {
    const shrink = 1 - B + (B * length) / Math.max(average, 1);
    let score = 0;
    for (const [i, weight] of weights.entries()) {
      const often = (inText[i] ?? 0) / shrink + HEAD * (inHead[i] ?? 0);
      if (often > 0) score += (weight * often * (K1 + 1)) / (often + K1);
    }
    return score;
  };
}
