import type { components } from '../../../api/schema.js';
import { fold, findSnippet } from './fold.ts';
import { passageAround, toUnits, type TextRange } from './range.ts';

export type Citation = components['schemas']['Citation'];

export interface CitedPlace {
  readonly words: TextRange;
  readonly passage: TextRange;
  /** The number of the citation in its answer. */
  readonly index: number | undefined;
  /** The text has changed since the answer, and the words are elsewhere now. */
  readonly hasMoved: boolean;
}

/** Where cited words are in the text. `gone`: they are no longer in it. */
export function findPlace(
  text: string,
  place: TextRange,
  citation: Citation | undefined,
): CitedPlace | 'gone' {
  const words = toUnits(text, place);
  const index = citation?.index;
  if (!citation) {
    if (words.start >= text.length) return 'gone';
    return { words, passage: passageAround(text, words), index, hasMoved: false };
  }
  const there = fold(text.slice(words.start, words.end));
  if (there.letters === fold(citation.snippet).letters || isMostly(citation.snippet, there.letters))
    return { words, passage: passageAround(text, words), index, hasMoved: false };
  const found = findSnippet(citation.snippet, fold(text), words.start / Math.max(1, text.length));
  if (!found) return 'gone';
  return { words: found, passage: passageAround(text, found), index, hasMoved: true };
}

/** A snippet may be shortened at its ends for display. */
function isMostly(snippet: string, letters: string): boolean {
  const wanted = fold(snippet).letters;
  if (wanted === '' || letters === '') return false;
  const [short, long] = wanted.length < letters.length ? [wanted, letters] : [letters, wanted];
  return long.includes(short) && short.length * 2 >= long.length;
}
