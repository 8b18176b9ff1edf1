import { eld } from 'eld/small';
import iconv from 'iconv-lite';
import * as known from './alphabets.ts';
import type { Alphabet } from './alphabets.ts';

/**
 * Detects which pre-Unicode charset a text uses. Each candidate is decoded and scored by the number of bits needed to
 * encode the result with the letter frequencies of the charset's languages. The cheapest candidate is correct, even
 * for ten letters, where byte statistics are insufficient.
 */
export function detectCharset(bytes: Uint8Array): string {
  const sample = isDistinctive(bytes);
  let best = { name: 'windows-1252', cost: Infinity };
  for (const { name, prior, writings, languages } of candidates()) {
    const text = iconv.decode(sample, name);
    const letters = [...text].map(traitsOf);
    let cost = prior + Math.min(...writings.map((writing) => bitsOf(letters, writing)));
    if (languages && cost - RECOGNISED < best.cost && isIn(languages, text)) cost -= RECOGNISED;
    if (cost < best.cost) best = { name, cost };
  }
  return best.name;
}

/** Latin texts differ in few letters; the language has more weight than these letters. */
const RECOGNISED = 8;
function isIn(languages: ReadonlySet<string>, text: string): boolean {
  const found = eld.detect(text);
  return languages.has(found.language) && found.isReliable();
}

const SAMPLE = 4096;
const CONTEXT = 256;
const NEWLINE = 0x0a;

/** The lines with bytes that differ between charsets. All of them use the same line break. */
function isDistinctive(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let held = 0;
  for (let at = 0; at < bytes.length && held < SAMPLE;) {
    let first = at;
    while (first < bytes.length && bytes[first]! < 0x80) first++;
    if (first === bytes.length) break;
    const start = Math.max(at, bytes.lastIndexOf(NEWLINE, first) + 1, first - CONTEXT);
    const newline = bytes.indexOf(NEWLINE, first);
    const end = Math.min(newline < 0 ? bytes.length : newline + 1, start + SAMPLE - held);
    lines.push(bytes.subarray(start, end));
    held += end - start;
    at = end;
  }
  return Buffer.concat(lines);
}

type Kind = 'impossible' | 'space' | 'ascii' | 'letter' | 'mark' | 'sign';
interface Traits {
  readonly char: string;
  readonly lower: string;
  readonly kind: Kind;
  readonly letter: boolean;
  readonly capital: boolean;
}

const remembered = new Map<string, Traits>();

function traitsOf(char: string): Traits {
  let traits = remembered.get(char);
  if (!traits) {
    const lower = char.toLowerCase();
    const letter = /\p{L}/u.test(char);
    traits = { char, lower, kind: kindOf(char, letter), letter, capital: lower !== char };
    remembered.set(char, traits);
  }
  return traits;
}

function kindOf(char: string, letter: boolean): Kind {
  if (/[\u0080-\u009f\ufffd\p{Co}\p{Cn}]/u.test(char)) return 'impossible';
  if (/\s/u.test(char)) return 'space';
  if (char < '\u0080') return 'ascii';
  if (letter) return 'letter';
  return /\p{M}/u.test(char) ? 'mark' : 'sign';
}

/** The statistics of a language that distinguish candidates. */
interface Writing {
  /** Cost in bits of a non-ASCII character; undefined for those of other languages. */
  readonly bits: (char: string) => number | undefined;
  readonly prior?: number;
  readonly pairs?: ReadonlySet<string>;
  readonly neverFirst?: string;
  readonly onlyLast?: string;
  readonly neverLast?: string;
  /**
   * `latin`: letters mixed with ASCII letters; `words`: each word is in one script; `spaceless`: there are no words.
   */
  readonly joins: 'latin' | 'words' | 'spaceless';
}

const IMPOSSIBLE = 40;
const STRANGE = 15;
const ASCII = 5;
const CAPITAL = 3;
const ALL_CAPITALS = 1;
const CAPITAL_INSIDE = 8;
const OTHER_SCRIPT_INSIDE = 12;
const OTHER_SCRIPT_NEXT = 4;
const MISPLACED = 6;
const AFTER_LETTER = 4;
const ACCENTS_IN_A_ROW = 4;
const SIGN_REPEATED = 2;
const COMMON_PAIR = -1.5;
const OTHER_PAIR = 0.8;

function bitsOf(text: readonly Traits[], writing: Writing): number {
  let bits = writing.prior ?? 0;
  let capitals = false;
  let lastScript: 'ascii' | 'letter' | undefined;
  for (let i = 0; i < text.length; i++) {
    const now = text[i]!;
    const before = text[i - 1];
    if (now.kind === 'ascii' && !now.letter) bits += ASCII;
    else if (now.kind === 'space' && now.char < '\u0080') bits += ASCII;
    else if (now.kind === 'impossible') bits += IMPOSSIBLE;
    else if (now.letter) {
      const own = now.kind === 'letter';
      bits += own ? (writing.bits(now.lower) ?? writing.bits(now.char) ?? STRANGE) : ASCII;
      bits += before?.letter ? inWord(text, i, writing) : own ? atStart(now, writing, capitals) : 0;
      capitals = now.capital;
      const script = now.kind === 'letter' ? 'letter' : 'ascii';
      if (
        !before?.letter &&
        lastScript !== undefined &&
        lastScript !== script &&
        writing.joins === 'words'
      )
        bits += OTHER_SCRIPT_NEXT;
      lastScript = script;
      if (own && !text[i + 1]?.letter && writing.neverLast?.includes(now.char)) bits += MISPLACED;
    } else bits += signBits(text, i, writing);
  }
  return bits;
}

/** Among capitalised words another one is expected. */
function atStart({ lower, capital }: Traits, { neverFirst }: Writing, capitals: boolean): number {
  return (
    (capital ? (capitals ? ALL_CAPITALS : CAPITAL) : 0) +
    (neverFirst?.includes(lower) ? MISPLACED : 0)
  );
}

/** Cost of this letter after that one. */
function inWord(text: readonly Traits[], i: number, writing: Writing): number {
  const [before, now] = [text[i - 1]!, text[i]!];
  const { joins, pairs, onlyLast } = writing;
  if (before.kind === 'ascii' && now.kind === 'ascii') return 0;
  let bits = 0;
  if (now.capital) bits += before.capital ? ALL_CAPITALS : CAPITAL_INSIDE;
  else if (before.capital && text[i - 2]?.capital) bits += CAPITAL_INSIDE;
  if (before.kind !== now.kind) return joins === 'latin' ? bits : bits + OTHER_SCRIPT_INSIDE;
  if (joins === 'latin') return bits + ACCENTS_IN_A_ROW;
  if (onlyLast?.includes(before.char)) bits += MISPLACED;
  if (pairs) bits += pairs.has(before.lower + now.lower) ? COMMON_PAIR : OTHER_PAIR;
  return bits;
}

function signBits(
  text: readonly Traits[],
  i: number,
  { bits: known, neverFirst }: Writing,
): number {
  const [before, now, after] = [text[i - 1], text[i]!, text[i + 1]];
  if (before?.char === now.char) return SIGN_REPEATED;
  let bits = known(now.char) ?? SIGNS.get(now.char) ?? STRANGE;
  if (now.kind === 'mark') return before?.kind === 'letter' ? bits : bits + 2 * MISPLACED;
  if (neverFirst?.includes(now.char) && before?.kind !== 'letter') bits += MISPLACED;
  if (before?.letter && !JOINING.has(now.char))
    bits += after?.letter ? MISPLACED : CLOSING.has(now.char) ? 0 : AFTER_LETTER;
  return bits;
}

/** Symbols used in any language; those of the third row were used to draw tables. */
const SIGNS = new Map<string, number>();
for (const [bits, signs] of [
  [7, '«»„“”’–—…\u00a0。、，：；？！（）「」《》・\u3000'],
  [8, '№°€£§‘•'],
  [9, '─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬░▒▓█'],
  [10, '©®™‹›·×±½²³µ‰†¼¾¿¡ªº『』【】％／－〜～￥〇○●◎※→★☆■□▲△'],
] as const)
  for (const sign of signs) SIGNS.set(sign, bits);
const CLOSING = new Set('»“”’…‹›™®©°²³ªº※★☆');
const JOINING = new Set('’–—·\u00a0。、，：；？！（）「」《》・');

function alphabetic({ letters, latin, ...rules }: Alphabet): Writing {
  const bits = new Map<string, number>();
  // At most one in twenty letters of a Latin text is non-ASCII.
  for (const [rank, letter] of [...letters].entries())
    bits.set(letter, latin ? 6.5 + rank * 0.25 : 3.2 + rank * 0.17);
  return { ...rules, bits: (char) => bits.get(char), joins: latin ? 'latin' : 'words' };
}

const FREQUENT_BITS = 8;
const COMMON_BITS = 12.5;
const RARE_BITS = 18;

/** Characters in the rows of a double-byte charset that the standards assign to common characters. */
function rowsOf(encoding: string, first: number, last: number): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let row = first; row <= last; row++)
    for (let cell = 0x40; cell <= 0xfe; cell++)
      if (cell < 0x7f || cell > 0xa0 || encoding === 'shift_jis') bytes.push(row, cell, NEWLINE);
  return new Set(iconv.decode(Buffer.from(bytes), encoding).split('\n'));
}

function ideographic(
  frequent: ReadonlySet<string>,
  common: ReadonlySet<string>,
  kana: (char: string) => number | undefined = () => undefined,
): Writing {
  return {
    joins: 'spaceless',
    bits: (char) => {
      if (frequent.has(char)) return FREQUENT_BITS;
      const bits = kana(char);
      if (bits !== undefined) return bits;
      if (!/[\p{sc=Han}\p{sc=Hangul}]/u.test(char)) return undefined;
      return common.has(char) ? COMMON_BITS : RARE_BITS;
    },
  };
}

const HIRAGANA = new Map([...known.HIRAGANA].map((char, rank) => [char, 4.5 + rank * 0.1]));
const kana = (char: string): number | undefined =>
  HIRAGANA.get(char) ??
  (/[\u3041-\u3096]/.test(char)
    ? 11
    : /[\u30a1-\u30fc]/.test(char)
      ? 8.5
      : /[\uff66-\uff9f]/.test(char)
        ? 13
        : undefined);

interface Candidate {
  readonly name: string;
  /** Prior cost of the charset in bits: a rare one needs more evidence. */
  readonly prior: number;
  readonly writings: readonly Writing[];
  /** For Latin charsets, their languages. */
  readonly languages: ReadonlySet<string> | undefined;
}

let tried: readonly Candidate[] | undefined;
const candidates = (): readonly Candidate[] => (tried ??= allCandidates());

function allCandidates(): Candidate[] {
  const latin = (alphabets: readonly Alphabet[], languages: string) => ({
    writings: alphabets.map(alphabetic),
    languages: new Set(languages.split(' ')),
  });
  const of = (...writings: readonly Writing[]) => ({ writings, languages: undefined });
  const western = latin(known.WESTERN_EUROPEAN, 'de fr es pt it sv da no nl en fi is ca eu gl sq');
  const central = latin(known.CENTRAL_EUROPEAN, 'pl cs sk hu ro hr sl bs sr sq');
  const turkish = latin([known.TURKISH], 'tr az');
  const baltic = latin(known.BALTIC, 'lt lv et');
  const russian = alphabetic(known.RUSSIAN);
  const ukrainian = alphabetic(known.UKRAINIAN);
  const cyrillic = of(russian, ukrainian, alphabetic(known.BULGARIAN), alphabetic(known.SERBIAN));
  const greek = of(alphabetic(known.GREEK));
  const arabic = of(alphabetic(known.ARABIC), alphabetic(known.PERSIAN));
  const ideograms = (
    encoding: string,
    frequent: ReadonlySet<string>,
    rows: readonly [first: number, last: number],
    syllables?: typeof kana,
  ) => of(ideographic(frequent, rowsOf(encoding, ...rows), syllables));
  const list: readonly (readonly [string, number, Omit<Candidate, 'name' | 'prior'>])[] = [
    ['windows-1252', 0, western],
    ['windows-1251', 2, cyrillic],
    ['windows-1250', 3, central],
    ['shift_jis', 4, ideograms('shift_jis', known.JAPANESE, [0x88, 0x97], kana)],
    ['gb18030', 4, ideograms('gb18030', known.SIMPLIFIED, [0xb0, 0xd7])],
    ['euc-kr', 4, ideograms('euc-kr', known.HANGUL, [0xb0, 0xc8])],
    ['big5', 5, ideograms('big5', known.TRADITIONAL, [0xa4, 0xc6])],
    ['koi8-r', 4, of(russian)],
    ['cp866', 4, of(russian)],
    ['windows-1254', 4, turkish],
    ['windows-1253', 5, greek],
    ['windows-1255', 4, of(alphabetic(known.HEBREW))],
    ['windows-1256', 5, arabic],
    ['windows-1257', 5, baltic],
    ['euc-jp', 6, ideograms('euc-jp', known.JAPANESE, [0xb0, 0xcf], kana)],
    ['windows-874', 6, of({ ...alphabetic(known.THAI), joins: 'spaceless' })],
    ['iso-8859-2', 6, central],
    ['iso-8859-15', 6, western],
    ['koi8-u', 6, of(ukrainian)],
    ['iso-8859-5', 7, cyrillic],
    ['iso-8859-7', 7, greek],
    ['iso-8859-6', 8, arabic],
    ['cp850', 8, western],
    ['macintosh', 9, western],
    ['maccyrillic', 9, of(russian)],
  ];
  return list.map(([name, prior, written]) => ({ name, prior, ...written }));
}
