import type { Atom, SearchStatistics } from '../../ports/search.ts';

/** Saturation of repeated terms and influence of a passage's length (BM25). */
const K1 = 1.2;
const B = 0.75;
/** A term in the name of an object counts as this many in its text. */
const HEAD = 2.5;

/**
 * What an atom is worth: the rarer, the more (BM25's inverse document frequency, never negative). One that is nowhere
 * counts like one that is there once, lest in a small collection the missing words outweigh those that were found.
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

/** What a row of terms holds. */
export interface Counted {
  /** How often each atom stands there. */
  readonly counts: readonly number[];
  /** Of how many terms the row is. */
  readonly length: number;
}

interface Sought {
  readonly atom: number;
  /** The terms of a run, joined as a row is. */
  readonly text: string;
  readonly prefix: boolean;
}

/** Reads rows of terms that are joined by single spaces, as the index gives them. */
export function counterFor(atoms: readonly Atom[]): (row: string) => Counted {
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
          if (stands(each, row, at)) counts[each.atom] = (counts[each.atom] ?? 0) + 1;
      const end = row.indexOf(' ', at);
      at = end === -1 ? row.length : end + 1;
    }
    return { counts, length };
  };
}

function stands({ text, prefix }: Sought, row: string, at: number): boolean {
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
