import { plainForm, withoutAccents } from '../../text/index.ts';

/** Finds strings in a text, ignoring accents, white space and kinds of quotation marks. */
export interface Standing {
  /** Offset of the first occurrence as whole words; negative if there is none. */
  placeOf(part: string): number;
}

const LETTER = /[\p{L}\p{N}]/u;
/** Scripts without spaces: a name may begin and end anywhere. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Maximum number of candidate positions per string. */
const MOST_PLACES = 1_000;

/** For a text of some ten thousand characters. */
export function standingIn(text: string): Standing {
  const whole = folded(text);
  return {
    placeOf: (part) => {
      const sought = folded(part).trim();
      if (sought === '') return -1;
      let at = whole.indexOf(sought);
      for (let tries = 0; at >= 0 && tries < MOST_PLACES; tries++) {
        if (isApart(whole, at, sought)) return at;
        at = whole.indexOf(sought, at + 1);
      }
      return -1;
    },
  };
}

function isApart(whole: string, at: number, sought: string): boolean {
  const end = at + sought.length;
  return (
    !goesOn(lastOf(whole.slice(Math.max(0, at - 2), at)), [...sought][0]) &&
    !goesOn(lastOf(sought), [...whole.slice(end, end + 2)][0])
  );
}

const lastOf = (text: string): string | undefined => [...text].at(-1);

/** Whether two adjacent characters belong to the same word. */
const goesOn = (before: string | undefined, after: string | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  LETTER.test(before) &&
  LETTER.test(after) &&
  !SPACELESS.test(before) &&
  !SPACELESS.test(after);

const folded = (text: string): string =>
  withoutAccents(plainForm(text))
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/\s+/g, ' ');
