import { normalizeCase } from './fold.ts';

/** A word, a number or a run of letters without spaces. Offsets are UTF-16 indices into the text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  /** NFKC, lower case, accents kept. */
  readonly plain: string;
  /** Scripts without spaces (Chinese, Japanese, Thai …) or, like Korean, matched best by parts of words. */
  readonly spaceless: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’ʼ]\p{L}[\p{L}\p{M}]*)*/gu;
// By Script, not Script_Extensions, which count the tilde of ñ as Thai.
/** The same for ASCII, where only case and apostrophes are normalised. */
const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/gi;
const ASCII = /^[\0-\x7f]*$/;
const SPACELESS =
  /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u30fc\uff70]|\u3099|\u309a)+/gu;
const BELOW_SPACELESS = /^[\0-\u0dff’ʼ]*$/;
const PLAIN_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const APOSTROPHE = /['’ʼ]/;

/** French and Italian elisions before the next word: l'homme, d'été, dell'anno. */
const ELIDED = new Set(
  'l d j m n s t c qu jusqu lorsqu puisqu quoiqu un dell nell sull all dall quest'.split(' '),
);

export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * Splits a text into tokens, in order. Punctuation separates; apostrophes within words do not, except in elisions.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  if (isAscii(text)) {
    for (const match of text.matchAll(ASCII_WORD)) {
      const [raw] = match;
      const start = match.index;
      if (raw.includes("'")) addWord(tokens, raw, start);
      else
        tokens.push({
          start,
          end: start + raw.length,
          plain: raw.toLowerCase(),
          spaceless: false,
        });
    }
    return tokens;
  }
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    if (BELOW_SPACELESS.test(raw)) addWord(tokens, raw, match.index);
    else addMixed(tokens, raw, match.index);
  }
  return tokens;
}

function addMixed(tokens: Token[], raw: string, start: number): void {
  let last = 0;
  for (const run of raw.matchAll(SPACELESS)) {
    if (run.index > last) addWord(tokens, raw.slice(last, run.index), start + last);
    add(tokens, start + run.index, run[0], normalizeCase(run[0]), true);
    last = run.index + run[0].length;
  }
  if (last < raw.length) addWord(tokens, raw.slice(last), start + last);
}

function addWord(tokens: Token[], raw: string, start: number): void {
  const plain = normalizeCase(raw);
  if (!APOSTROPHE.test(raw)) {
    add(tokens, start, raw, plain, false);
    return;
  }
  const at = raw.search(APOSTROPHE);
  if (ELIDED.has(normalizeCase(raw.slice(0, at)))) {
    addWord(tokens, raw.slice(0, at), start);
    addWord(tokens, raw.slice(at + 1), start + at + 1);
    return;
  }
  const joined = plain.replace(/['’ʼ]s$/, '').replace(/['’ʼ]/g, '');
  add(tokens, start, raw, joined, false);
}

/** A compatibility character may stand for several words, such as ﷺ, or for a fraction. */
function add(tokens: Token[], start: number, raw: string, plain: string, spaceless: boolean): void {
  const end = start + raw.length;
  if (PLAIN_WORD.test(plain)) tokens.push({ start, end, plain, spaceless });
  else
    for (const [part] of plain.matchAll(WORD)) tokens.push({ start, end, plain: part, spaceless });
}
