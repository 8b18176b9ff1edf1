/** Where words of one list stand in another, in the same order. */
export interface Alignment {
  /** How many of them do. */
  readonly matched: number;
  /** The first and the last of them, as indices of the other list. */
  readonly first: number;
  readonly last: number;
}

/**
 * The best place of `words` in `among`: the most words in order, less `gap` for each word of `among` that stands between
 * them. With a small gap that is their longest common subsequence at its tightest. Takes time by the product of lengths.
 */
export function align(words: readonly string[], among: readonly string[], gap: number): Alignment {
  const width = among.length + 1;
  // By what has been seen of `among`: the score so far, what is matched, and where that begins.
  const score = new Float64Array(width).fill(-Infinity);
  const matched = new Int32Array(width);
  const first = new Int32Array(width);
  let best: Alignment = { matched: 0, first: 0, last: -1 };
  let top = 0;
  for (const word of words) {
    // Of the row above, one column to the left.
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
        const goesOn = diagonal > 0;
        const gained = goesOn ? diagonal + 1 : 1;
        if (gained >= (score[j] ?? 0)) {
          score[j] = gained;
          matched[j] = goesOn ? diagonalMatched + 1 : 1;
          first[j] = goesOn ? diagonalFirst : j - 1;
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
