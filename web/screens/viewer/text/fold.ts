/** Letters and digits of a text without case, marks, spaces and punctuation. */
export interface Folded {
  readonly letters: string;
  /** Where each letter is in the text, in UTF-16 units. */
  readonly at: readonly number[];
}

const IS_LETTER = /[\p{L}\p{N}]/u;
const ASCII = /^[\0-\x7f]*$/;

/** Texts of a page and of its extraction differ in spaces, hyphens and ligatures. Their letters are the same. */
export function fold(text: string): Folded {
  let letters = '';
  const at: number[] = [];
  for (let index = 0; index < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const plain = ASCII.test(character) ? character : character.normalize('NFKD');
    for (const part of plain.toLowerCase())
      if (IS_LETTER.test(part)) {
        letters += part;
        for (let unit = 0; unit < part.length; unit++) at.push(index);
      }
    index += character.length;
  }
  return { letters, at };
}

export interface Hit {
  /** Of the text that was searched, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Below this share of its letters a snippet does not count as found. */
const MIN_SHARE = 0.5;
const SHARES = [1, 0.9, 0.8, 0.7, 0.6, MIN_SHARE];

/**
 * Finds a snippet, or at least half of it, in one piece. `near` is the fraction of the text at which it is expected: the
 * nearest of several is taken.
 */
export function findSnippet(snippet: string, text: Folded, near: number): Hit | undefined {
  const { letters: wanted } = fold(snippet);
  if (wanted === '') return undefined;
  for (const share of SHARES) {
    const length = Math.ceil(wanted.length * share);
    const step = Math.max(1, Math.floor(wanted.length / 50));
    for (let from = 0; from + length <= wanted.length; from += step) {
      const found = nearest(text.letters, wanted.slice(from, from + length), near);
      if (found >= 0) return hitOf(text, found, found + length);
    }
  }
  return undefined;
}

const MAX_HITS = 2_000;

/** Every place of a query, without regard to case, marks and how its words are divided into lines. */
export function findAll(text: string, folded: Folded, query: string): readonly Hit[] {
  const { letters } = fold(query);
  const hits: Hit[] = [];
  if (letters === '') return hits;
  const words = query.trim().split(/\s+/).length;
  for (let at = folded.letters.indexOf(letters); at >= 0 && hits.length < MAX_HITS;) {
    const hit = hitOf(folded, at, at + letters.length);
    const there = text.slice(hit.start, hit.end).replace(/-\n/g, '').split(/\s+/).length;
    if (there === words) hits.push(hit);
    at = folded.letters.indexOf(letters, at + (there === words ? letters.length : 1));
  }
  return hits;
}

/** The hit in the text, for a range of its folded letters. */
export function hitOf({ at }: Folded, from: number, to: number): Hit {
  const start = at[from] ?? 0;
  const last = at[to - 1] ?? start;
  return { start, end: last + 1 };
}

function nearest(letters: string, wanted: string, near: number): number {
  const expected = near * letters.length;
  let best = -1;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1))
    if (best < 0 || Math.abs(at - expected) < Math.abs(best - expected)) best = at;
  return best;
}
