/** The tokens of an RTF file (RTF 1.9.1, "RTF Syntax"). */
export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined }
  /** A control symbol: a backslash and one character that is not a letter. */
  | { readonly kind: 'symbol'; readonly symbol: string }
  /** Text bytes in the current code page, one per character. */
  | { readonly kind: 'bytes'; readonly bytes: string };

const TOKEN = /[{}]|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^])|[^\\{}]+/giy;
/** An escaped byte and the following plain one may be one character in an East Asian code page. */
const NO_TEXT = /[\r\n\0]+/g;

export function* rtfTokens(rtf: string): Generator<RtfToken> {
  const token = new RegExp(TOKEN);
  for (let found = token.exec(rtf); found !== null; found = token.exec(rtf)) {
    const [all, hex, word, value, symbol] = found;
    if (all === '{') yield { kind: 'open' };
    else if (all === '}') yield { kind: 'close' };
    else if (hex !== undefined)
      yield { kind: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (word !== undefined) {
      const number = value === undefined ? undefined : Number(value);
      // Raw binary data follows, which may contain braces.
      if (word === 'bin') token.lastIndex += Math.max(0, number ?? 0);
      else yield { kind: 'word', word, value: number };
    } else if (symbol !== undefined) {
      const line = symbol === '\r' || symbol === '\n';
      yield line ? { kind: 'word', word: 'par', value: undefined } : { kind: 'symbol', symbol };
    } else {
      const bytes = all.replace(NO_TEXT, '');
      if (bytes !== '') yield { kind: 'bytes', bytes };
    }
  }
}
