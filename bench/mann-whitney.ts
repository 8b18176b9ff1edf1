/** The result of a two-sided Mann–Whitney U test. */
export interface RankTest {
  readonly u: number;
  /** Standard score of U, corrected for ties and for continuity. */
  readonly z: number;
  /** How likely two samples of one distribution differ at least as much. */
  readonly p: number;
  /** Probability that a value of the first sample is above one of the second, ties counted by half. */
  readonly superiority: number;
}

/** By the normal approximation, which holds for samples of more than 20 values. */
export function mannWhitney(first: readonly number[], second: readonly number[]): RankTest {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  let [rankSum, ties] = [0, 0];
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end++;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    ties += (end - start) ** 3 - (end - start);
    start = end;
  }
  const [n, m, total] = [first.length, second.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const distance = u - (n * m) / 2;
  const z =
    deviation === 0 ? 0 : (Math.sign(distance) * Math.max(0, Math.abs(distance) - 0.5)) / deviation;
  return { u, z, p: 2 * upperTail(Math.abs(z)), superiority: u / (n * m) };
}

/** Of the standard normal distribution (Abramowitz and Stegun 26.2.17; the error is below 7.5e-8). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
