import { anchor, MIN_WORDS, occursVerbatim } from './anchor.ts';
import type { Register } from './cited-text.ts';
import { isQuoteMark } from './quote-marks.ts';
import { wordsOf } from './quote-words.ts';

/** A quotation mark in held-back text. */
export interface Mark {
  /** Position in the held-back text. */
  readonly at: number;
  readonly unit: string;
  readonly before: string;
  closes: boolean;
  /** Judged by the neighbouring characters. */
  sure: boolean;
  /** The mark that it closes, or most likely closes. */
  opener: Mark | undefined;
}

/** Maximum number of further candidates for the opening mark. */
const MAX_OPENERS = 8;

/** Held-back text from a quotation mark on, with its marks. */
export interface HeldQuotes {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly open: readonly Mark[];
}

/** The mark that opens the quotation ending at `last`, and its ranges in the passages. */
export function openerOf<Place>(
  last: Mark,
  { text, marks, open }: HeldQuotes,
  register: Pick<Register<Place>, 'locate'>,
  numbers: readonly number[],
): { readonly opener: Mark; readonly places: readonly Place[] } | undefined {
  const { opener } = last;
  if (!opener) return undefined;
  const sure = last.sure && opener.sure;
  const from = (mark: Mark) => text.slice(mark.at + 1, last.at);
  const tried = (among: readonly Mark[], find: typeof anchor) => {
    for (const mark of among) {
      const places = register.locate(numbers, (passage) => find(from(mark), passage));
      if (places.length > 0) return { opener: mark, places };
    }
    return undefined;
  };
  const farther = marks.filter((mark) => !mark.closes && mark.at < opener.at);
  const others = farther.slice(0, MAX_OPENERS);
  const inner = open.length > 0 && opener !== open[0];
  // One or two words of an inner quotation occur in any passage, so they prove nothing.
  const own = inner && wordsOf(from(opener)).length < MIN_WORDS ? [] : [opener];
  if (sure && !inner) return tried(own, anchor) ?? tried(others, occursWithMarks);
  return (
    tried(others, occursWithMarks) ??
    tried(own, anchor) ??
    tried(inner ? others : [], anchorWithMarks)
  );
}

/** Includes every kind of quotation mark. */
const withMarks =
  (find: typeof anchor): typeof anchor =>
  (quote, passage) => {
    const place = find(quote, passage);
    if (!place) return undefined;
    const count = (text: string) => text.split('').filter(isQuoteMark).length;
    return count(quote) <= count(passage.slice(place.start, place.end)) ? place : undefined;
  };
const occursWithMarks = withMarks(occursVerbatim);
const anchorWithMarks = withMarks(anchor);
