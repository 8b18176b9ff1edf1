import type { FeatureVector } from './feature-vectors.ts';
import type { Lexicon } from './lexicon.ts';

/** Number of terms compared per object: its most significant. */
const MOST = 16;

export interface Vector {
  readonly terms: readonly number[];
  /** Normalised to length one. */
  readonly weights: readonly number[];
}

/** The content of an object, as a unit vector of its most significant terms. */
export function vectorOf(
  read: FeatureVector,
  lexicon: Lexicon,
  without?: ReadonlySet<number>,
): Vector {
  const scored: { term: number; weight: number }[] = [];
  read.terms.forEach((term, i) => {
    if (!without?.has(term))
      scored.push({ term, weight: (read.weights[i] ?? 0) * lexicon.rarity(term) });
  });
  scored.sort((a, b) => b.weight - a.weight || a.term - b.term);
  const stored = scored.slice(0, MOST);
  const length = Math.sqrt(stored.reduce((sum, { weight }) => sum + weight * weight, 0)) || 1;
  return {
    terms: stored.map(({ term }) => term),
    weights: stored.map(({ weight }) => weight / length),
  };
}

/** Average pairwise similarity of vectors: 0 nothing in common, 1 identical. */
export function cohesionOf(vectors: readonly Vector[]): number {
  const n = vectors.length;
  if (n < 2) return 0;
  const sum = new Map<number, number>();
  for (const { terms, weights } of vectors)
    terms.forEach((term, i) => sum.set(term, (sum.get(term) ?? 0) + (weights[i] ?? 0)));
  let square = 0;
  for (const value of sum.values()) square += value * value;
  return Math.max(0, (square - n) / (n * (n - 1)));
}
