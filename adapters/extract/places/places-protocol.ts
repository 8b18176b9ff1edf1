import type { PlacedWord } from '../../../ports/word-places.ts';

/** Locates the words in the text layer of a page of a PDF, whose bytes follow. */
export interface PlacesJob {
  readonly size: number;
  /** From 1. */
  readonly page: number;
}

/** The words follow as a payload, if there are any. */
export interface PlacesResult {
  readonly outcome: 'words';
}

export function parsePlaces(value: unknown): PlacesResult {
  if ((value as Partial<Record<string, unknown>>)['outcome'] !== 'words')
    throw new TypeError('Not words.');
  return { outcome: 'words' };
}

export const MAX_WORDS = 20_000;
const MAX_WORD_LENGTH = 1_000;

/** The child has read untrusted files, so its words are not trusted either. */
export function parseWords(payload: Buffer | undefined): readonly PlacedWord[] {
  if (!payload) return [];
  let words: unknown;
  try {
    words = JSON.parse(payload.toString('utf8'));
  } catch {
    // Not written by the program: the page counts as unreadable.
    return [];
  }
  return Array.isArray(words) ? words.slice(0, MAX_WORDS).filter(isWord) : [];
}

function isWord(value: unknown): value is PlacedWord {
  if (typeof value !== 'object' || value === null) return false;
  const { text, left, top, width, height } = value as Partial<PlacedWord>;
  return (
    typeof text === 'string' &&
    text.length <= MAX_WORD_LENGTH &&
    [left, top, width, height].every((each) => Number.isFinite(each))
  );
}
