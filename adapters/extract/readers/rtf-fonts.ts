/** Code pages of font character sets (RTF 1.9.1, "Font Table"). */
const BY_CHARSET: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

const NAMES: Readonly<Record<number, string>> = {
  10000: 'macintosh',
  10007: 'maccyrillic',
  65001: 'utf-8',
};

/** The name of the encoding in iconv-lite. */
export const encodingOf = (codePage: number): string => NAMES[codePage] ?? `cp${codePage}`;

const SYMBOL_CHARSET = 2;
export const SYMBOLS = -1;

/** Code pages by font, and the default. */
export class RtfFonts {
  readonly #charsets = new Map<number, number>();
  readonly #codePages = new Map<number, number>();
  codePage = 1252;
  standard = -1;

  charset(font: number, charset: number): void {
    this.#charsets.set(font, charset);
  }

  ownCodePage(font: number, codePage: number): void {
    this.#codePages.set(font, codePage);
  }

  /** Code page of a font, `SYMBOLS` for symbol fonts. */
  codePageOf(font: number): number {
    const own = this.#codePages.get(font);
    if (own !== undefined && own > 0) return own;
    const charset = this.#charsets.get(font);
    if (charset === SYMBOL_CHARSET) return SYMBOLS;
    if (charset === undefined || charset === 1) return this.codePage;
    // Some writers declare every font as Western; correct ones have at least one with the code page of the file.
    if (charset === 0 && !this.#declaresOwn()) return this.codePage;
    return BY_CHARSET[charset] ?? this.codePage;
  }

  #declaresOwn(): boolean {
    for (const charset of this.#charsets.values())
      if (BY_CHARSET[charset] === this.codePage) return true;
    return false;
  }
}
