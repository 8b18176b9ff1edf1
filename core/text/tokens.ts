import { plainForm } from './fold.ts';

/** A word, number or run of letters written without spaces. Offsets are UTF-16 indices into the text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  /** NFKC, lower case, accents kept. */
  readonly plain: string;
  /** Written without spaces (Chinese, Japanese, Thai …) or, as Korean, best found by pieces of words. */
  readonly spaceless: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’ʼ][\p{L}\p{M}]+)*/gu;
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const BELOW_SPACELESS = /^[\0-\u0dff]*$/;
const APOSTROPHE = /['’ʼ]/;

/** French and Italian articles and the like that lean on the next word: l'homme, d'été, dell'anno. */
const ELIDED = new Set(
  'l d j m n s t c qu jusqu lorsqu puisqu quoiqu un dell nell sull all dall quest'.split(' '),
);

/** Cuts a text into tokens, in order. Punctuation separates; apostrophes within words do not, but for elisions. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    if (!BELOW_SPACELESS.test(raw)) addMixed(tokens, raw, match.index);
    else if (APOSTROPHE.test(raw)) addApostrophed(tokens, raw, match.index);
    else tokens.push(word(raw, match.index));
  }
  return tokens;
}

const word = (raw: string, start: number): Token => ({
  start,
  end: start + raw.length,
  plain: plainForm(raw),
  spaceless: false,
});

function addMixed(tokens: Token[], raw: string, start: number): void {
  let last = 0;
  for (const run of raw.matchAll(SPACELESS)) {
    if (run.index > last) tokens.push(word(raw.slice(last, run.index), start + last));
    tokens.push({ ...word(run[0], start + run.index), spaceless: true });
    last = run.index + run[0].length;
  }
  if (last < raw.length) tokens.push(word(raw.slice(last), start + last));
}

function addApostrophed(tokens: Token[], raw: string, start: number): void {
  const at = raw.search(APOSTROPHE);
  if (ELIDED.has(raw.slice(0, at).toLowerCase())) {
    tokens.push(
      word(raw.slice(0, at), start),
      ...tokensOf(raw.slice(at + 1)).map(shifted(start + at + 1)),
    );
    return;
  }
  const whole = word(raw, start);
  tokens.push({ ...whole, plain: whole.plain.replace(/['’ʼ]s$/, '').replace(/['’ʼ]/g, '') });
}

const shifted =
  (by: number) =>
  (token: Token): Token => ({ ...token, start: token.start + by, end: token.end + by });
