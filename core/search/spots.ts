import type { Atom, Run } from '../../ports/search.ts';
import {
  backwards,
  beginningOf,
  commonBeginning,
  isBackwards,
  queryForms,
  remembering,
  type Stretch,
  type Token,
  tokensOf,
  withoutAccents,
} from '../text/index.ts';

const WORDS_KEPT = 40_000;

/** A word of a text, and the atoms of a query found there. UTF-16 indices. */
export interface Spot extends Stretch {
  /** The word in plain form. */
  readonly plain: string;
  readonly bits: number;
}

/** Its stems, also backwards, and how it is written, for prefixes that reach beyond a stem. */
const formsOf = remembering(WORDS_KEPT, (plain): readonly string[] => {
  const stems = queryForms(plain);
  return [...new Set([...stems, withoutAccents(plain), ...stems.flatMap(backwards)])];
});

interface Word extends Stretch {
  readonly plain: string;
  /** None where they could be nothing that is looked for. */
  readonly forms: readonly string[];
}

/**
 * Finds the atoms in the text itself, not among its terms: a word is taken in every language it may be in, since the
 * one it was indexed in does not matter any more.
 */
export function spotter(atoms: readonly Atom[]): (text: string) => readonly Spot[] {
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
    const words = tokensOf(text).flatMap((token) => wordsOf(token, mayBeSought));
    const bits = words.map(({ forms }) => (forms === NONE ? 0 : bitsOf(forms)));
    for (const { run, bit } of long)
      for (let at = 0; at + run.terms.length <= words.length; at++)
        if (run.terms.every((_, i) => holds(words[at + i]?.forms ?? NONE, run, i)))
          run.terms.forEach((_, i) => (bits[at + i] = (bits[at + i] ?? 0) | bit));
    return words.map(({ start, end, plain }, i) => ({ start, end, plain, bits: bits[i] ?? 0 }));
  };
}

const NONE: readonly string[] = [];

/** Tells by its beginning whether a word could be one of those looked for: most are not, and to stem a word is dear. */
function beginningsOf(runs: readonly Run[]): (plain: string) => boolean {
  const terms = runs.flatMap((run) => run.terms);
  // What a word ends with does not show at its beginning.
  if (terms.some(isBackwards)) return () => true;
  const sought = new Set(terms.map(beginningOf));
  // A term of a single letter may be all that is left of a word, or begin many.
  const letters = new Set(terms.filter((term) => term.length < 2));
  return (plain) => {
    const beginning = commonBeginning(plain);
    return beginning === undefined || sought.has(beginning) || letters.has(beginning.charAt(0));
  };
}

const holds = (forms: readonly string[], { terms, prefix }: Run, i: number): boolean => {
  const term = terms[i] ?? '';
  return prefix && i === terms.length - 1
    ? forms.some((form) => form.startsWith(term))
    : forms.includes(term);
};

/** Letters written without spaces give a word for each pair, as in the index. */
function wordsOf(
  { start, end, plain, spaceless }: Token,
  mayBeSought: (plain: string) => boolean,
): readonly Word[] {
  if (!spaceless) return [{ start, end, plain, forms: mayBeSought(plain) ? formsOf(plain) : NONE }];
  const letters = [...plain];
  if (letters.length < 2) return [{ start, end, plain, forms: [plain] }];
  let at = start;
  return letters.slice(1).map((letter, i) => {
    const first = letters[i] ?? '';
    const pair = first + letter;
    const word = {
      start: at,
      end: Math.min(at + pair.length, end),
      plain: pair,
      forms: [pair],
    };
    at += first.length;
    return word;
  });
}
