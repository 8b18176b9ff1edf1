import iconv from 'iconv-lite';
import { normalizeText } from './text-normalization.ts';
import { UnreadableFileError, type ReaderResult } from './reader-result.ts';
import { encodingOf, RtfFonts, SYMBOLS } from './rtf-fonts.ts';
import { RtfText } from './rtf-text.ts';
import { rtfTokens, type RtfToken } from './rtf-tokens.ts';

const DEEPEST = 1_000;

/** Rich Text Format: paragraphs, lists and tables, then footnotes, headers and footers, as one page. */
export async function readRtf(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!/^[\s\ufeff\u00ef\u00bb\u00bf]*\{\\rtf/.test(rtf))
    throw new UnreadableFileError('The file is not an RTF document.');
  const reader = new RtfReader(longest);
  let ended = false;
  for (const token of rtfTokens(rtf)) {
    reader.take(token);
    ended = reader.ended;
    if (ended || reader.full) break;
  }
  if (!ended && !reader.full)
    throw new UnreadableFileError('The file ends in the middle of the document.');
  const { title, text } = reader.result();
  return {
    source: 'extracted',
    title,
    pages: [{ text: normalizeText(text), continues: false }],
    prose: true,
  };
}

/** Destination of text: discarded, or appended later. */
type Target = 'body' | 'skipped' | 'fonts' | 'title' | 'info' | 'mark' | 'notes' | 'margins';

interface State {
  readonly target: Target;
  readonly font: number;
  /** Number of fallback characters after a `\u`, for readers without Unicode. */
  readonly fallback: number;
  readonly hidden: boolean;
  readonly inTable: boolean;
}

const FIRST: State = { target: 'body', font: -1, fallback: 1, hidden: false, inTable: false };

/** Destinations by the first word of a group. Unlisted ones that begin with `\*` are skipped. */
const DESTINATIONS = new Map<string, Target>(
  Object.entries<Target>({
    fonttbl: 'fonts',
    info: 'info',
    title: 'title',
    listtext: 'mark',
    pntext: 'mark',
    footnote: 'notes',
    header: 'margins',
    headerl: 'margins',
    headerr: 'margins',
    headerf: 'margins',
    footer: 'margins',
    footerl: 'margins',
    footerr: 'margins',
    footerf: 'margins',
  }),
);
for (const word of (
  'colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator pict objdata objclass objname themedata ' +
  'colorschememapping datastore latentstyles xmlnstbl mmathPr fldinst annotation atnid atnauthor atndate atnref ' +
  'bkmkstart bkmkend nonshppict nonesttables shprslt sp falt panose template author operator creatim revtim printim buptim ' +
  'doccomm subject keywords category manager company hlinkbase private tc xe rxe pnseclvl ftnsep ftnsepc aftnsep ' +
  'aftnsepc pgptbl filetbl'
).split(' '))
  DESTINATIONS.set(word, 'skipped');

/** Optional destinations that contain text. */
const READ_ALL_THE_SAME = new Set([
  'shpinst',
  'ud',
  'footnote',
  'nesttableprops',
  'listtext',
  'pntext',
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tab: '\t',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
    zwj: '\u200d',
    zwnj: '\u200c',
  }),
);
const SYMBOL_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '~': '\u00a0',
    _: '\u2011',
    '\\': '\\',
    '{': '{',
    '}': '}',
    '\t': '\t',
  }),
);

class RtfReader {
  readonly #fonts = new RtfFonts();
  readonly #body = new RtfText();
  readonly #notes = new RtfText();
  readonly #margins = new RtfText();
  readonly #stack: State[] = [];
  readonly #longest: number;
  #state = FIRST;
  /** Undecoded bytes, and their font. */
  #bytes = '';
  #cell = '';
  #mark = '';
  #title = '';
  /** Fallback characters left to skip after a `\u`. */
  #owed = 0;
  /** The group has just begun: its first word is its destination. */
  #fresh = false;
  #optional = false;
  #beforePair: Target = 'body';
  #defined = -1;
  ended = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  get full(): boolean {
    return this.#body.length > this.#longest;
  }

  take(token: RtfToken): void {
    if (token.kind === 'bytes') return this.#takeBytes(token.bytes);
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else if (token.kind === 'symbol') this.#takeSymbol(token.symbol);
    else if (token.kind === 'word') this.#takeControl(token.word, token.value);
  }

  #takeControl(word: string, value: number | undefined): void {
    if (this.#fresh && this.#begins(word)) this.#fresh = this.#optional = false;
    else this.#takeWord(word, value);
  }

  result(): { title: string; text: string } {
    this.#flush();
    if (this.#cell !== '') this.#body.add(this.#cell);
    const notes = [this.#notes.text(), ...new Set(this.#margins.text().split('\n\n'))];
    const text = [this.#body.text(), ...notes].filter((part) => part !== '').join('\n\n');
    return { title: this.#title.trim(), text };
  }

  #open(): void {
    this.#flush();
    this.#owed = 0;
    if (this.#stack.length >= DEEPEST)
      throw new UnreadableFileError('The groups of the file are nested too deeply.');
    this.#stack.push(this.#state);
    this.#fresh = true;
    this.#optional = false;
  }

  #close(): void {
    this.#flush();
    this.#owed = 0;
    this.#fresh = this.#optional = false;
    const inner = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) throw new UnreadableFileError('The groups of the file do not match.');
    this.#state = outer;
    this.ended = this.#stack.length === 0;
    if (inner.target === outer.target) return;
    if (inner.target === 'mark') this.#endMark();
    if (inner.target === 'notes') this.#notes.endParagraph();
    if (inner.target === 'margins') this.#margins.endParagraph();
  }

  /** Whether the first word of a group is a destination. */
  #begins(word: string): boolean {
    const { target } = this.#state;
    if (word === 'ud') {
      this.#state = { ...this.#state, target: this.#beforePair };
      return true;
    }
    if (target === 'skipped') return true;
    const known = DESTINATIONS.get(word);
    if (this.#optional && !READ_ALL_THE_SAME.has(word)) {
      this.#state = { ...this.#state, target: 'skipped' };
      return true;
    }
    if (word === 'upr') {
      // The same text follows in two forms; the second one, which begins with `\ud`, is in Unicode.
      this.#beforePair = target;
      this.#state = { ...this.#state, target: 'skipped' };
      return true;
    }
    if (known === undefined) return false;
    const allowed = known !== 'title' || target === 'info';
    this.#state = { ...this.#state, target: allowed ? known : 'skipped' };
    return true;
  }

  #takeSymbol(symbol: string): void {
    if (symbol === '*' && this.#fresh) {
      this.#optional = true;
      return;
    }
    this.#fresh = false;
    if (this.#owed > 0) this.#owed--;
    else this.#say(SYMBOL_CHARACTERS.get(symbol) ?? '');
  }

  #takeBytes(bytes: string): void {
    this.#fresh = false;
    const skipped = Math.min(this.#owed, bytes.length);
    this.#owed -= skipped;
    if (this.#readable) this.#bytes += bytes.slice(skipped);
  }

  #takeWord(word: string, value: number | undefined): void {
    this.#fresh = false;
    if (word === 'u') return this.#unicode(value ?? 0);
    this.#flush();
    if (this.#owed > 0) {
      this.#owed--;
      return;
    }
    const character = CHARACTERS.get(word);
    if (character !== undefined) return this.#say(character);
    const state = this.#state;
    switch (word) {
      case 'ansicpg':
        this.#fonts.codePage = value || 1252;
        break;
      case 'mac':
        this.#fonts.codePage = 10000;
        break;
      case 'pc':
      case 'pca':
        this.#fonts.codePage = word === 'pc' ? 437 : 850;
        break;
      case 'deff':
        this.#fonts.standard = value ?? -1;
        break;
      case 'f':
        if (state.target === 'fonts') this.#defined = value ?? -1;
        else this.#state = { ...state, font: value ?? -1 };
        break;
      case 'fcharset':
        this.#fonts.charset(this.#defined, value ?? 1);
        break;
      case 'cpg':
        if (state.target === 'fonts') this.#fonts.ownCodePage(this.#defined, value ?? 0);
        break;
      case 'uc':
        this.#state = { ...state, fallback: Math.max(0, Math.min(value ?? 1, 100)) };
        break;
      case 'plain':
        this.#state = { ...state, font: this.#fonts.standard, hidden: false };
        break;
      case 'v':
      case 'deleted':
        this.#state = { ...state, hidden: value !== 0 };
        break;
      case 'pard':
        this.#state = { ...state, inTable: false };
        break;
      case 'intbl':
        this.#state = { ...state, inTable: true };
        break;
      default:
        this.#layOut(word);
    }
  }

  #layOut(word: string): void {
    const out = this.#output;
    if (out === undefined) return;
    if (word === 'par' || word === 'sect' || word === 'page') {
      if (out === this.#body && this.#state.inTable) this.#cell += ' ';
      else out.endParagraph();
    } else if (word === 'line') {
      if (out === this.#body && this.#state.inTable) this.#cell += ' ';
      else out.breakLine();
    } else if (word === 'cell' || word === 'nestcell') {
      out.cell(this.#cell);
      this.#cell = '';
    } else if (word === 'row' || word === 'nestrow') out.endRow();
  }

  #unicode(value: number): void {
    this.#flush();
    if (this.#owed > 0) this.#owed--;
    else {
      const unit = value < 0 ? value + 65_536 : value;
      this.#say(unit <= 0xffff ? String.fromCharCode(unit) : '');
    }
    this.#owed = this.#state.fallback;
  }

  get #readable(): boolean {
    const { target, hidden } = this.#state;
    return !hidden && target !== 'skipped' && target !== 'fonts' && target !== 'info';
  }

  get #output(): RtfText | undefined {
    const { target, hidden } = this.#state;
    if (hidden) return undefined;
    if (target === 'body') return this.#body;
    if (target === 'notes') return this.#notes;
    return target === 'margins' ? this.#margins : undefined;
  }

  /** Characters of East Asian code pages have two bytes, so bytes are decoded when the run of a font ends. */
  #flush(): void {
    if (this.#bytes === '') return;
    const bytes = this.#bytes;
    this.#bytes = '';
    const { font } = this.#state;
    const codePage = this.#fonts.codePageOf(font < 0 ? this.#fonts.standard : font);
    this.#say(codePage === SYMBOLS ? symbolsOf(bytes) : decoded(bytes, codePage));
  }

  #say(text: string): void {
    if (text === '' || !this.#readable) return;
    this.#flush();
    const { target, inTable } = this.#state;
    if (target === 'mark') this.#mark += text;
    else if (target === 'title') this.#title += text;
    else if (target === 'body' && inTable) this.#cell += text;
    else this.#output?.add(text);
  }

  /** A number or a letter before an item is preserved; any other marker becomes the standard bullet. */
  #endMark(): void {
    const mark = this.#mark.trim();
    this.#mark = '';
    if (mark === '') return;
    this.#say(/[\p{L}\p{N}]/u.test(mark) && !/\p{Co}/u.test(mark) ? `${mark} ` : '- ');
  }
}

/** Characters of a symbol font are symbols; only the bullet is common in texts. */
const symbolsOf = (bytes: string): string => bytes.replace(/[^ ]/g, '•');

function decoded(bytes: string, codePage: number): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  const encoding = encodingOf(codePage);
  const known = iconv.encodingExists(encoding) ? encoding : 'cp1252';
  return iconv.decode(Buffer.from(bytes, 'latin1'), known);
}
