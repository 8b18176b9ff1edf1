/** Positions of one word list in another, in the same order. */
export interface Alignment {
  /** Number of matched words. */
  readonly matched: number;
  /** Indices of the first and last match in the other list. */
  readonly first: number;
  readonly last: number;
}

/**
 * The best alignment of `words` in `among`: the most words in order, minus `gap` for each unmatched word of `among`
 * in between. With a small gap this is the tightest longest common subsequence. Runs in time proportional to the
 * product of the lengths.
 */
export function align(words: readonly string[], among: readonly string[], gap: number): Alignment {
  const width = among.length + 1;
  // Per prefix of `among`: the score, the number of matches, and where the alignment begins.
  const score = new Float64Array(width).fill(-Infinity);
  const matched = new Int32Array(width);
  const first = new Int32Array(width);
  let best: Alignment = { matched: 0, first: 0, last: -1 };
  let top = 0;
  for (const word of words) {
    // Previous row, one column to the left.
    let [diagonal, diagonalMatched, diagonalFirst] = [-Infinity, 0, 0];
    for (let j = 1; j < width; j++) {
      const [above, aboveMatched, aboveFirst] = [score[j] ?? 0, matched[j] ?? 0, first[j] ?? 0];
      const left = (score[j - 1] ?? 0) - gap;
      if (left > above) {
        score[j] = left;
        matched[j] = matched[j - 1] ?? 0;
        first[j] = first[j - 1] ?? 0;
      }
      if (among[j - 1] === word) {
        const shouldContinue = diagonal > 0;
        const gained = shouldContinue ? diagonal + 1 : 1;
        if (gained >= (score[j] ?? 0)) {
          score[j] = gained;
          matched[j] = shouldContinue ? diagonalMatched + 1 : 1;
          first[j] = shouldContinue ? diagonalFirst : j - 1;
        }
        if (gained > top) {
          top = gained;
          best = { matched: matched[j] ?? 0, first: first[j] ?? 0, last: j - 1 };
        }
      }
      [diagonal, diagonalMatched, diagonalFirst] = [above, aboveMatched, aboveFirst];
    }
  }
  return best;
}
