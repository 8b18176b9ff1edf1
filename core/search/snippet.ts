import { lengthsIn, sentencesOf, type TextRange } from '../text/index.ts';
import { weightOf } from './candidates.ts';
import type { TermMatch } from './term-matches.ts';

/** Maximum length of a snippet in code points. */
const LONGEST = 300;

/** The part of a passage that explains the match best: whole sentences if they are short enough, else words. */
export function snippetOf(
  text: string,
  spots: readonly TermMatch[],
  weights: readonly number[],
): TextRange {
  const sentences = sentencesOf(text);
  const lengthOf = lengthsIn(text);
  // Distances between words matter only if words are counted.
  const held = spots.filter(({ bits }) => bits);
  let best: { stretch: TextRange; weight: number } | undefined;
  for (const [first, sentence] of sentences.entries()) {
    const part = lengthOf(sentence.start, sentence.end) > LONGEST;
    const shown = part
      ? densest(text, sentence, spots, weights)
      : grown(lengthOf, sentences, first);
    const weight = heldIn(shown, held, weights);
    if (!best || weight > best.weight) best = { stretch: shown, weight };
  }
  return best?.stretch ?? { start: 0, end: 0 };
}

/** As many whole sentences from the first one on as fit. */
function grown(
  lengthOf: ReturnType<typeof lengthsIn>,
  sentences: readonly TextRange[],
  first: number,
): TextRange {
  const start = sentences[first]?.start ?? 0;
  let end = sentences[first]?.end ?? 0;
  for (let i = first + 1; i < sentences.length; i++) {
    const next = sentences[i]?.end ?? end;
    if (lengthOf(start, next) > LONGEST) break;
    end = next;
  }
  return { start, end };
}

/** The words of a long sentence with the most matches, extended towards its beginning. */
function densest(
  text: string,
  sentence: TextRange,
  spots: readonly TermMatch[],
  weights: readonly number[],
): TextRange {
  const words = spots.filter(({ start, end }) => start >= sentence.start && end <= sentence.end);
  let best: TextRange | undefined;
  let most = -1;
  for (const word of words) {
    const start = word.start;
    const stretch = { start, end: lastEnd(text, words, start) };
    const weight = word.bits ? heldIn(stretch, words, weights) : 0;
    if (weight > most) [best, most] = [stretch, weight];
  }
  return best ?? { start: sentence.start, end: cutAt(text, sentence.start, LONGEST) };
}

/** The end of the last word that fits. A single word that does not fit is cut. */
function lastEnd(text: string, words: readonly TermMatch[], start: number): number {
  const limit = cutAt(text, start, LONGEST);
  let end = start;
  for (const word of words) if (word.start >= start && word.end <= limit) end = word.end;
  return end > start ? end : limit;
}

/** The index `count` code points after `start`, or the end. */
function cutAt(text: string, start: number, count: number): number {
  let at = start;
  for (const letter of text.slice(start, start + 2 * count)) {
    if (count-- <= 0) break;
    at += letter.length;
  }
  return at;
}

function heldIn(
  stretch: TextRange,
  spots: readonly TermMatch[],
  weights: readonly number[],
): number {
  let bits = 0;
  let count = 0;
  for (const spot of spots)
    if (spot.bits && spot.start >= stretch.start && spot.end <= stretch.end) {
      bits |= spot.bits;
      count += 1;
    }
  return weightOf(bits, weights) + Math.min(count, 20) * 0.01;
}
