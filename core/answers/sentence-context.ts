import { codePointLength, layoutOf, type Piece, type TextRange } from '../text/index.ts';
import { rangeOf, type Window } from './windows.ts';

/** Maximum length of a referenced range, in code points. */
const LONGEST = 600;

/**
 * Extends windows by the neighbouring sentences of their paragraph that no other window has, so that a referenced
 * range is understandable by itself.
 */
export function withSentenceContext(
  pointers: readonly Window[],
  taken: readonly Window[],
): readonly Window[] {
  const widened: Window[] = [];
  for (const [i, window] of pointers.entries()) {
    const others = [...taken, ...widened, ...pointers.slice(i + 1)]
      .filter(({ passage }) => passage.number === window.passage.number)
      .map(rangeOf);
    widened.push({ ...window, sentences: surroundings(window, others) });
  }
  return widened;
}

function surroundings(window: Window, others: readonly TextRange[]): readonly TextRange[] {
  const { text } = window.passage;
  const pieces = layoutOf(text);
  const { start, end } = rangeOf(window);
  let first = pieces.findIndex((piece) => piece.start === start);
  let last = pieces.findIndex((piece) => piece.end === end);
  const [left, right] = [pieces[first], pieces[last]];
  if (!left || !right) return window.sentences;
  const fits = (piece: Piece | undefined, from: number, to: number): boolean =>
    piece?.block === left.block &&
    (piece.role === 'prose' || piece.role === 'row') &&
    others.every((other) => other.end <= piece.start || other.start >= piece.end) &&
    codePointLength(text.slice(from, to)) <= LONGEST;
  for (let grows = left.block === right.block; grows;) {
    const [before, next] = [pieces[first - 1], pieces[last + 1]];
    const [from, to] = [pieces[first]?.start ?? start, pieces[last]?.end ?? end];
    if (fits(next, from, next?.end ?? to)) last += 1;
    else if (fits(before, before?.start ?? from, to)) first -= 1;
    else grows = false;
  }
  return pieces.slice(first, last + 1);
}
