import type { TextSpan } from '../../ports/search.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import { codePointLength, trimmed } from './code-points.ts';
import { sentenceEnds } from './sentences.ts';

/** Lengths in Latin letters; a Chinese or Japanese character counts as about two and a half of them. */
const LEAST = 300;
const IDEAL = 700;
const MOST = 1000;
const IDEOGRAPH = 2.5;

/** Cutting a passage takes well under a tenth of a millisecond. */
const CUTS_A_SLICE = 50;

/**
 * Splits a text into passages of 300 to 1000 letters along paragraphs and sentence ends, in linear time. Everything
 * but white space is in exactly one passage, and offsets count code points.
 */
export async function* passagesOf(text: string, scheduler: Scheduler): AsyncGenerator<TextSpan> {
  let position = 0;
  let offset = 0;
  let ord = 0;
  for (let cuts = 1; position < text.length; cuts++) {
    const end = position + cutAfter(text, position);
    const { start, end: stop } = trimmed(text, { start: position, end });
    if (stop > start) {
      const passage = text.slice(start, stop);
      const charStart = offset + codePointLength(text.slice(position, start));
      const charEnd = charStart + codePointLength(passage);
      yield { ord, charStart, charEnd, text: passage };
      ord += 1;
    }
    // Yields are counted by cuts: there may be a long run of white space.
    if (cuts % CUTS_A_SLICE === 0) await scheduler.yield();
    offset += codePointLength(text.slice(position, end));
    position = end;
  }
}

/** UTF-16 units from `from` to the end of the next passage. */
function cutAfter(text: string, from: number): number {
  const view = text.slice(from, from + 2 * (MOST + LEAST) + 2);
  const lengths = measured(view);
  const complete = from + lengths.units === text.length ? lengths.total : Infinity;
  if (complete <= MOST) return lengths.units;
  const ideal = complete < MOST + LEAST ? complete / 2 : IDEAL;

  const window = view.slice(0, lengths.indexAt(MOST));
  const fits = (at: number) => lengths.lengthAt(at) >= LEAST;
  const nearest = (cuts: readonly number[]): number | undefined =>
    cuts
      .filter(fits)
      .sort(
        (a, b) => Math.abs(lengths.lengthAt(a) - ideal) - Math.abs(lengths.lengthAt(b) - ideal),
      )[0];
  return (
    nearest(endsOf(window, /\n[^\S\n]*\n\s*/g)) ??
    nearest(sentenceEnds(window)) ??
    nearest(endsOf(window, /\n/g)) ??
    nearest(endsOf(window, /\s+/g)) ??
    betweenLetters(view, window.length)
  );
}

const endsOf = (text: string, pattern: RegExp): readonly number[] =>
  [...text.matchAll(pattern)].map((match) => match.index + match[0].length);

/** Moves a cut back so that it does not separate a letter from its combining marks. */
function betweenLetters(text: string, at: number): number {
  let cut = at;
  while (cut > at - 20 && /^(?:\p{M}|\u200d|\ufe0f)/u.test(text.slice(cut, cut + 2))) cut -= 1;
  return /^[\udc00-\udfff]/.test(text.charAt(cut)) ? cut - 1 : cut;
}

/** Lengths along a text, measured only as far as needed. */
function measured(view: string) {
  const lengthBefore = new Float64Array(view.length + 1);
  let total = 0;
  let units = 0;
  for (const letter of view) {
    if (total >= MOST + LEAST) break;
    const weight = letter >= '\u2e80' ? IDEOGRAPH : 1;
    for (let i = 0; i < letter.length; i++) lengthBefore[units++] = total;
    total += weight;
  }
  lengthBefore[units] = total;
  return {
    total,
    units,
    lengthAt: (index: number): number => lengthBefore[index] ?? total,
    indexAt: (length: number): number => {
      let [low, high] = [0, units];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((lengthBefore[middle] ?? 0) < length) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
