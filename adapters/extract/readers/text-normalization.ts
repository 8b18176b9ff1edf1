const LINE_ENDS = /\r\n|[\r\f\v\u0085\u2028\u2029]/g;
/** Control characters except tab and newline, and, with the `u` flag, unpaired surrogates. */
// eslint-disable-next-line no-control-regex -- these are what it takes out
const UNWANTED = /[\u0000-\u0008\u000e-\u001f\u007f\ud800-\udfff]/gu;

/**
 * More combining marks per character than in any language: the stream-safe format allows 30 (UAX #15 §13), and above
 * that normalization takes quadratic time.
 */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu;

/** `\n` line ends, no other controls but tabs, no unpaired surrogates, no byte order mark, NFC. */
export const normalizeText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replace(UNWANTED, '')
    .replace(/^\uFEFF/, '')
    .replace(PILED_MARKS, '$1')
    .normalize('NFC');

/** Characters that stored text must not contain: NUL, and, with the `u` flag, unpaired surrogates. */
const UNSERVED = /[\0\ud800-\udfff]/gu;

/** The text unchanged, except for forbidden characters. */
export const cleanText = (text: string): string => text.replace(UNSERVED, '');

/** Length in Unicode code points of a text without unpaired surrogates. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) count--;
  }
  return count;
}

/** At most the first `most` code points. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let taken = 0; taken < most && end < text.length; taken++)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** A title on one line, of at most `most` code points. */
export const oneLine = (text: string, most: number): string =>
  cut(normalizeText(text).replace(/\s+/gu, ' ').trim(), most);

/** Digits as superscripts: a note mark or a power would otherwise be joined to the preceding word. */
export const superscript = (figures: string): string =>
  figures.replace(/\d/g, (figure) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(figure)]!);
