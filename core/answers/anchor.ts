import { memoize, trimmed, type TextRange } from '../text/index.ts';
import { align } from './align.ts';
import { wordsOf, type Word } from './quote-words.ts';

/** Maximum length of a quotation, in UTF-16 units. Longer ones are never found. */
const LONGEST = 2_000;
/** Longer quotations must occur word for word. */
const MAX_ALIGNED_LENGTH = 600;
/** Maximum length of a passage, in words. */
const MAX_SEARCHED_LENGTH = 4_000;

/** Share of a quotation's words that must occur in the passage, in order. */
const SHARE = 0.8;
/** Quotations with fewer words must occur without gaps. */
export const MIN_WORDS = 5;
/** Length of the range in the passage, relative to the quotation. */
const widest = (count: number): number => 1.5 * count + 4;
/** Penalty for a word in between. The match must be tight before it is long. */
const GAPS = [0.25, 1e-4] as const;

/**
 * Range of a quotation in a passage: word for word, except for case, accents, width, punctuation and white space, or
 * at least four fifths of its words in order, close to each other. Undefined if there is none, and for a quotation
 * without words.
 */
export function anchor(quote: string, passage: string): TextRange | undefined {
  if (quote.length > LONGEST) return undefined;
  const words = wordsOf(quote);
  return occursIn(quote, words, passage) ?? stretchOfMost(words, passageWords(passage));
}

/** The same, but word for word only. */
export const occursVerbatim = (quote: string, passage: string): TextRange | undefined =>
  quote.length > LONGEST ? undefined : occursIn(quote, wordsOf(quote), passage);

const passageWords = memoize(64, wordsOf);

function occursIn(quote: string, words: readonly Word[], passage: string): TextRange | undefined {
  if (words.length === 0) return undefined;
  const among = passageWords(passage);
  return exactly(quote, passage, among) ?? inOtherWriting(words, passage, among);
}

function exactly(quote: string, passage: string, among: readonly Word[]): TextRange | undefined {
  const { start, end } = trimmed(quote, { start: 0, end: quote.length });
  const sought = quote.slice(start, end);
  // Each further occurrence compares the words, since a quotation may be a single letter.
  for (let at = passage.indexOf(sought); at >= 0; at = passage.indexOf(sought, at + 1)) {
    const found = { start: at, end: at + sought.length };
    if (!among.some((word) => cuts(found.start, word) || cuts(found.end, word))) return found;
  }
  return undefined;
}

/** Inside a word: 40 does not occur in 1940. */
const cuts = (at: number, { start, end }: Word): boolean => start < at && at < end;

function inOtherWriting(
  words: readonly Word[],
  passage: string,
  among: readonly Word[],
): TextRange | undefined {
  const place = placeOf(words, among);
  return place < 0 ? undefined : stretchOver(passage, among, place, place + words.length - 1);
}

/** Index of the first word of `among` from which all words match, or -1. */
function placeOf(words: readonly Word[], among: readonly Word[]): number {
  // Words contain no white space, so a sequence of words can be searched as a substring.
  const [sought, text] = [joined(words), joined(among)];
  const at = text.indexOf(sought);
  return at < 0 ? -1 : text.slice(0, at).split(' ').length - 1;
}

const joined = (words: readonly Word[]): string => ` ${words.map(({ plain }) => plain).join(' ')} `;

/** Characters that belong to a figure but not to a word: -5 °C, €40, 12 %. */
const BEFORE = /(?<![\p{L}\p{N}])[-−+±]?[\p{Sc}§#]?$/u;
const AFTER = /^(?:\s?[%‰\p{Sc}]|°)?/u;

function stretchOver(
  passage: string,
  among: readonly Word[],
  first: number,
  last: number,
): TextRange | undefined {
  const [from, to] = [among[first], among[last]];
  if (!from || !to) return undefined;
  const before = isFigure(from)
    ? BEFORE.exec(passage.slice(Math.max(0, from.start - 3), from.start))
    : null;
  const after = isFigure(to) ? AFTER.exec(passage.slice(to.end, to.end + 2)) : null;
  return { start: from.start - (before?.[0].length ?? 0), end: to.end + (after?.[0].length ?? 0) };
}

const isFigure = ({ plain }: Word): boolean => /^\p{Nd}/u.test(plain);

/** The tightest range with enough of the words in order, if it is short enough to be meaningful. */
function stretchOfMost(words: readonly Word[], among: readonly Word[]): TextRange | undefined {
  const count = words.length;
  const needed = Math.ceil(SHARE * count);
  if (count < MIN_WORDS || count > MAX_ALIGNED_LENGTH || among.length > MAX_SEARCHED_LENGTH)
    return undefined;
  if (!holdsEnough(words, among, needed)) return undefined;
  const [plain, others] = [words.map((word) => word.plain), among.map((word) => word.plain)];
  for (const gap of GAPS) {
    const { matched, first, last } = align(plain, others, gap);
    if (matched < needed || last - first >= widest(count)) continue;
    const [from, to] = [among[first], among[last]];
    if (from && to) return { start: from.start, end: to.end };
  }
  return undefined;
}

/** Counts matches in any order first, which is faster. */
function holdsEnough(words: readonly Word[], among: readonly Word[], needed: number): boolean {
  const known = new Set(among.map(({ plain }) => plain));
  return words.filter(({ plain }) => known.has(plain)).length >= needed;
}
