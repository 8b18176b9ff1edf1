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

/** Counts how often each atom stands in a row of terms. */
export type Counter = (terms: readonly string[]) => readonly number[];

export function counterFor(atoms: readonly Atom[]): Counter {
  const single = new Map<string, number[]>();
  const others: { atom: number; terms: readonly string[]; prefix: boolean }[] = [];
  atoms.forEach((runs, atom) => {
    for (const { terms, prefix } of runs) {
      const [term] = terms;
      if (term === undefined) continue;
      if (prefix || terms.length > 1) others.push({ atom, terms, prefix });
      else single.set(term, [...(single.get(term) ?? []), atom]);
    }
  });
  return (terms) => {
    const counts = atoms.map(() => 0);
    const add = (atom: number) => (counts[atom] = (counts[atom] ?? 0) + 1);
    for (const term of terms) single.get(term)?.forEach(add);
    for (const { atom, terms: run, prefix } of others)
      for (let start = 0; start + run.length <= terms.length; start++)
        if (
          run.every((term, i) => fits(terms[start + i] ?? '', term, prefix && i === run.length - 1))
        )
          add(atom);
    return counts;
  };
}

const fits = (there: string, term: string, prefix: boolean): boolean =>
  prefix ? there.startsWith(term) : there === term;

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
