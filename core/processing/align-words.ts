import type { PlacedWord } from '../../ports/word-places.ts';

/** How far a word may be from the end of the last one. */
const MAX_GAP = 400;

const MIN_SEARCHED_LETTERS = 3;

/** A range of code points, end exclusive, with the word that was drawn there. */
export interface AlignedWord {
  readonly start: number;
  readonly end: number;
  readonly word: PlacedWord;
}

/**
 * Finds the words of a page in its text, in order. The text was made of the same words, but lines are joined and hyphens
 * dropped, so white space and hyphens are ignored. A word that is not found nearby is left out.
 */
export function alignWords(text: string, words: readonly PlacedWord[]): readonly AlignedWord[] {
  const letters = lettersOf(text);
  const page = letters.map(({ letter }) => letter).join('\0');
  // Each letter is followed by a separator, so that indexes in the joined text can be converted.
  const offsets = new Map<number, number>();
  let length = 0;
  letters.forEach(({ letter }, n) => {
    offsets.set(length, n);
    length += letter.length + 1;
  });
  const aligned: AlignedWord[] = [];
  let from = 0;
  for (const word of words) {
    const own = lettersOf(word.text).map(({ letter }) => letter);
    if (own.length === 0) continue;
    const sought = own.join('\0');
    const found = page.slice(from, from + sought.length + MAX_GAP * 2).indexOf(sought);
    // Short words occur anywhere.
    const isNear = found === 0 || (found > 0 && own.length >= MIN_SEARCHED_LETTERS);
    const first = isNear ? offsets.get(from + found) : undefined;
    if (first === undefined) continue;
    const start = letters[first]?.at;
    const end = letters[first + own.length - 1]?.at;
    if (start === undefined || end === undefined) continue;
    aligned.push({ start, end: end + 1, word });
    from += found + sought.length + 1;
  }
  return aligned;
}

/** Compatibility forms are compared: ligatures and raised digits are written differently in texts. */
function lettersOf(text: string): readonly { readonly letter: string; readonly at: number }[] {
  const letters: { letter: string; at: number }[] = [];
  let at = 0;
  for (const point of text) {
    if (!/[\s\p{Dash}\p{Cf}\0]/u.test(point))
      for (const letter of point.normalize('NFKD').normalize('NFC')) letters.push({ letter, at });
    at++;
  }
  return letters;
}
