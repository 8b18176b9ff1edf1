import { normalizeCase, withoutAccents } from '../../text/index.ts';

/** Finds strings in a text, ignoring accents, white space and kinds of quotation marks. */
export interface VerbatimCheck {
  /** Offset of the first occurrence as whole words; negative if there is none. */
  positionOf(part: string): number;
}

const LETTER = /[\p{L}\p{N}]/u;
/** Scripts without spaces: a name may begin and end anywhere. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Maximum number of candidate positions per string. */
const MAX_OCCURRENCES = 1_000;

/** For a text of some ten thousand characters. */
export function verbatimIn(text: string): VerbatimCheck {
  const complete = folded(text);
  return {
    positionOf: (part) => {
      const sought = folded(part).trim();
      if (sought === '') return -1;
      let at = complete.indexOf(sought);
      for (let tries = 0; at >= 0 && tries < MAX_OCCURRENCES; tries++) {
        if (isApart(complete, at, sought)) return at;
        at = complete.indexOf(sought, at + 1);
      }
      return -1;
    },
  };
}

function isApart(complete: string, at: number, sought: string): boolean {
  const end = at + sought.length;
  return (
    !continues(lastOf(complete.slice(Math.max(0, at - 2), at)), [...sought][0]) &&
    !continues(lastOf(sought), [...complete.slice(end, end + 2)][0])
  );
}

const lastOf = (text: string): string | undefined => [...text].at(-1);

/** Whether two adjacent characters belong to the same word. */
const continues = (before: string | undefined, after: string | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  LETTER.test(before) &&
  LETTER.test(after) &&
  !SPACELESS.test(before) &&
  !SPACELESS.test(after);

const folded = (text: string): string =>
  withoutAccents(normalizeCase(text))
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/\s+/g, ' ');
