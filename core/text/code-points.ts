const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;
const SURROGATE = /[\ud800-\udbff]/;

/** The number of Unicode code points in a text. */
export function codePointLength(text: string): number {
  let pairs = 0;
  ASTRAL.lastIndex = 0;
  while (ASTRAL.test(text)) pairs += 1;
  return text.length - pairs;
}

/** The same for any part of a text, given by its indices; fast for most texts, which need no counting. */
export const lengthsIn = (text: string): ((start: number, end: number) => number) =>
  SURROGATE.test(text)
    ? (start, end) => codePointLength(text.slice(start, end))
    : (start, end) => Math.min(end, text.length) - Math.min(start, text.length);

/** A substring without unpaired surrogates at its ends. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

/** Code points before a UTF-16 index of the text. */
export const codePointsBefore = (text: string, index: number): number =>
  codePointLength(text.slice(0, index));

/** A range of a text in UTF-16 indices, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The range without white space at its ends. */
export function trimmed(text: string, { start, end }: TextRange): TextRange {
  let [from, to] = [start, end];
  while (from < to && SPACE.test(text.charAt(from))) from += 1;
  while (to > from && SPACE.test(text.charAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

const SPACE = /\s/;
