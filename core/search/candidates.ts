import type { MatchingPassages } from './matches.ts';

export interface Candidate {
  readonly number: number;
  /** The query terms it contains, including those of its object's title row. */
  readonly bits: number;
}

/** Sum of the weights whose bit is set. */
export const weightOf = (bits: number, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => (bits & (2 ** i) ? sum + weight : sum), 0);

/**
 * The passages to score: those with the highest weight of matched query terms, the newest of equals. The selection
 * depends on nothing but the given passages.
 */
export function selectCandidates(
  { numbers, bits, count }: MatchingPassages,
  weights: readonly number[],
  most: number,
): readonly Candidate[] {
  const sizes = new Map<number, number>();
  // Neighbours mostly match the same terms, so a run of them is counted at once.
  for (let from = 0, to = 0; from < count; from = to) {
    const held = bits[from] ?? 0;
    while (to < count && bits[to] === held) to += 1;
    sizes.set(held, (sizes.get(held) ?? 0) + to - from);
  }
  const capacity = new Map<number, number>();
  let left = most;
  const ranked = [...sizes.keys()]
    .map((held) => ({ held, weight: weightOf(held, weights) }))
    .sort((a, b) => b.weight - a.weight || b.held - a.held);
  for (const { held } of ranked) {
    const taken = Math.min(left, sizes.get(held) ?? 0);
    capacity.set(held, taken);
    left -= taken;
  }
  const chosen: Candidate[] = [];
  for (let i = count - 1; i >= 0 && chosen.length < most; i--) {
    const held = bits[i] ?? 0;
    const free = capacity.get(held) ?? 0;
    if (!free) continue;
    capacity.set(held, free - 1);
    chosen.push({ number: numbers[i] ?? 0, bits: held });
  }
  return chosen;
}
