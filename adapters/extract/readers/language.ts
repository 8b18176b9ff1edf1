import { eld } from 'eld/small';

/** The detector looks at no more than this much of what it is given. */
const WINDOW = 1000;
const WINDOWS = 5;
/** Fewer letters are enough for a guess only. */
const FEWEST_LETTERS = 20;

/**
 * The language most of the text is written in, as its ISO 639-1 code; '' when it cannot be told.
 * Asked in several places, because a document may begin with a title page or a letterhead in another one.
 */
export function languageOf(text: string): string {
  if ((text.slice(0, WINDOW).match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS) return '';
  const votes = new Map<string, number>();
  const step = Math.max(WINDOW, Math.floor(text.length / WINDOWS));
  for (let at = 0, taken = 0; at < text.length && taken < WINDOWS; at += step, taken++) {
    const found = eld.detect(text.slice(at, at + WINDOW));
    if (found.language.length === 2 && found.isReliable())
      votes.set(found.language, (votes.get(found.language) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
