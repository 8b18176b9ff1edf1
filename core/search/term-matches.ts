import type { QueryTerm, TermSequence } from '../../ports/search.ts';
import {
  backwards,
  beginningOf,
  commonBeginning,
  isAscii,
  isBackwards,
  mayHaveForms,
  queryForms,
  memoize,
  type TextRange,
  type Token,
  tokensOf,
  withoutAccents,
} from '../text/index.ts';

const WORDS_KEPT = 40_000;

/** A word of a text, and the query terms that match it. UTF-16 indices. */
export interface TermMatch extends TextRange {
  /** The word in normal form. */
  readonly plain: string;
  readonly bits: number;
}

/** Its stems, also reversed, and its unstemmed form, for prefixes longer than a stem. */
const formsOf = memoize(WORDS_KEPT, (plain): readonly string[] => {
  const stems = queryForms(plain);
  return [...new Set([...stems, withoutAccents(plain), ...stems.flatMap(backwards)])];
});

/**
 * Matches query terms in the text itself, not in its index terms: a word is stemmed in every language it may be in,
 * since the language it was indexed in is not known here.
 */
export function createTermMatcher(
  atoms: readonly QueryTerm[],
): (text: string) => readonly TermMatch[] {
  const runs = atoms.flatMap((atom, i) => atom.map((run) => ({ run, bit: 2 ** i })));
  const long = runs.filter(({ run }) => run.terms.length > 1);
  const open = runs.filter(({ run }) => run.terms.length === 1 && run.prefix);
  const single = new Map<string, number>();
  for (const { run, bit } of runs)
    if (run.terms.length === 1 && !run.prefix)
      for (const term of run.terms) single.set(term, (single.get(term) ?? 0) | bit);
  const bitsOf = (forms: readonly string[]): number => {
    let bits = 0;
    for (const form of forms) bits |= single.get(form) ?? 0;
    for (const { run, bit } of open) if (holds(forms, run, 0)) bits |= bit;
    return bits;
  };
  const mayBeSought = beginningsOf(runs.map(({ run }) => run));

  return (text) => {
    const ascii = isAscii(text);
    const spots: MutableSpot[] = [];
    // By match; only sequences of several words need them again.
    const formsAt: (readonly string[])[] = [];
    const add = (start: number, end: number, plain: string, forms: readonly string[]) => {
      spots.push({ start, end, plain, bits: forms === NONE ? 0 : bitsOf(forms) });
      if (long.length > 0) formsAt.push(forms);
    };
    for (const token of tokensOf(text)) {
      const { start, end, plain } = token;
      if (token.spaceless)
        for (const pair of pairsIn(token)) add(pair.start, pair.end, pair.plain, [pair.plain]);
      else add(start, end, plain, mayBeSought(plain, ascii) ? formsOf(plain) : NONE);
    }
    for (const { run, bit } of long)
      for (let at = 0; at + run.terms.length <= spots.length; at++)
        if (run.terms.every((_, i) => holds(formsAt[at + i] ?? NONE, run, i)))
          for (const spot of spots.slice(at, at + run.terms.length)) spot.bits |= bit;
    return spots;
  };
}

type MutableSpot = { -readonly [Key in keyof TermMatch]: TermMatch[Key] };

/** For a word that cannot match any query term. */
const NONE: readonly string[] = [];

/** Decides by its prefix whether a word can match: most cannot, and stemming is expensive. */
function beginningsOf(runs: readonly TermSequence[]): (plain: string, ascii: boolean) => boolean {
  const terms = runs.flatMap((run) => run.terms);
  // A suffix match is not visible in the prefix.
  if (terms.some(isBackwards)) return () => true;
  const sought = new Set(terms.map(beginningOf));
  // A term of a single letter may be the stem of a word, or a prefix of many.
  const letters = new Set(terms.filter((term) => term.length < 2));
  const mayHaveOne = mayHaveForms(terms);
  return (plain, ascii) => {
    if (ascii) return mayHaveOne(plain);
    const beginning = commonBeginning(plain);
    return beginning === undefined || sought.has(beginning) || letters.has(beginning.charAt(0));
  };
}

const holds = (forms: readonly string[], { terms, prefix }: TermSequence, i: number): boolean => {
  const term = terms[i] ?? '';
  return prefix && i === terms.length - 1
    ? forms.some((form) => form.startsWith(term))
    : forms.includes(term);
};

/** Characters of scripts without spaces form a word for each bigram, as in the index. */
function pairsIn({
  start,
  end,
  plain,
}: Token): readonly (TextRange & { readonly plain: string })[] {
  const letters = [...plain];
  if (letters.length < 2) return [{ start, end, plain }];
  let at = start;
  return letters.slice(1).map((letter, i) => {
    const first = letters[i] ?? '';
    const pair = first + letter;
    const word = { start: at, end: Math.min(at + pair.length, end), plain: pair };
    at += first.length;
    return word;
  });
}
