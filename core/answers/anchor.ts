import { remembering, trimmed, type Stretch } from '../text/index.ts';
import { align } from './align.ts';
import { wordsOf, type Word } from './quote-words.ts';

/** Of a quotation, in UTF-16 units. Longer ones stand nowhere. */
const LONGEST = 2_000;
/** More words than these must stand word for word. */
const MOST_ALIGNED = 600;
/** Of a passage, in words. */
const MOST_AMONG = 4_000;

/** The share of a quotation's words that must stand in the passage, in order. */
const SHARE = 0.8;
/** Fewer words than these must stand without anything between them. */
export const FEW = 5;
/** Words of the passage that so many of a quotation may be spread over. */
const widest = (count: number): number => 1.5 * count + 4;
/** What a word in between takes from a match: first it is to be tight, then it is to be there at all. */
const GAPS = [0.25, 1e-4] as const;

/**
 * Where a passage holds what is quoted from it: word for word, but for case, accents, width, punctuation and white space,
 * or at least four fifths of its words in order, close to each other. Undefined where it does not, and for a quotation
 * without any word.
 */
export function anchor(quote: string, passage: string): Stretch | undefined {
  if (quote.length > LONGEST) return undefined;
  const words = wordsOf(quote);
  return standsIn(quote, words, passage) ?? stretchOfMost(words, passageWords(passage));
}

/** The same, but word for word only. */
export const stands = (quote: string, passage: string): Stretch | undefined =>
  quote.length > LONGEST ? undefined : standsIn(quote, wordsOf(quote), passage);

const passageWords = remembering(64, wordsOf);

function standsIn(quote: string, words: readonly Word[], passage: string): Stretch | undefined {
  if (words.length === 0) return undefined;
  const among = passageWords(passage);
  return exactly(quote, passage, among) ?? inOtherWriting(words, passage, among);
}

function exactly(quote: string, passage: string, among: readonly Word[]): Stretch | undefined {
  const { start, end } = trimmed(quote, { start: 0, end: quote.length });
  const sought = quote.slice(start, end);
  // Every further place costs a look at the words: a letter may be all that is quoted.
  for (let at = passage.indexOf(sought); at >= 0; at = passage.indexOf(sought, at + 1)) {
    const found = { start: at, end: at + sought.length };
    if (!among.some((word) => cuts(found.start, word) || cuts(found.end, word))) return found;
  }
  return undefined;
}

/** Inside of the word: 40 is not in 1940. */
const cuts = (at: number, { start, end }: Word): boolean => start < at && at < end;

function inOtherWriting(
  words: readonly Word[],
  passage: string,
  among: readonly Word[],
): Stretch | undefined {
  const place = placeOf(words, among);
  return place < 0 ? undefined : stretchOver(passage, among, place, place + words.length - 1);
}

/** The index of the first of `among` from which on all words stand, or -1. */
function placeOf(words: readonly Word[], among: readonly Word[]): number {
  // Words hold no white space, so that a run of them is found as a piece of text.
  const [sought, text] = [joined(words), joined(among)];
  const at = text.indexOf(sought);
  return at < 0 ? -1 : text.slice(0, at).split(' ').length - 1;
}

const joined = (words: readonly Word[]): string => ` ${words.map(({ plain }) => plain).join(' ')} `;

/** What belongs to a figure and is no word: -5 °C, €40, 12 %. */
const BEFORE = /(?<![\p{L}\p{N}])[-−+±]?[\p{Sc}§#]?$/u;
const AFTER = /^(?:\s?[%‰\p{Sc}]|°)?/u;

function stretchOver(
  passage: string,
  among: readonly Word[],
  first: number,
  last: number,
): Stretch | undefined {
  const [from, to] = [among[first], among[last]];
  if (!from || !to) return undefined;
  const before = isFigure(from)
    ? BEFORE.exec(passage.slice(Math.max(0, from.start - 3), from.start))
    : null;
  const after = isFigure(to) ? AFTER.exec(passage.slice(to.end, to.end + 2)) : null;
  return { start: from.start - (before?.[0].length ?? 0), end: to.end + (after?.[0].length ?? 0) };
}

const isFigure = ({ plain }: Word): boolean => /^\p{Nd}/u.test(plain);

/** The stretch that holds enough of the words in order, if any is short enough for that to mean something. */
function stretchOfMost(words: readonly Word[], among: readonly Word[]): Stretch | undefined {
  const count = words.length;
  const needed = Math.ceil(SHARE * count);
  if (count < FEW || count > MOST_ALIGNED || among.length > MOST_AMONG) return undefined;
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

/** In whatever order: that is told faster. */
function holdsEnough(words: readonly Word[], among: readonly Word[], needed: number): boolean {
  const known = new Set(among.map(({ plain }) => plain));
  return words.filter(({ plain }) => known.has(plain)).length >= needed;
}
