import type { Atom, Run } from '../../ports/search.ts';
import {
  backwards,
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
  /** The chief form of the word. */
  readonly term: string;
  readonly bits: number;
}

/** Its stems, also backwards, and how it is written, for prefixes that reach beyond a stem. */
const formsOf = remembering(WORDS_KEPT, (plain) => {
  const stems = queryForms(plain);
  return [...new Set([...stems, withoutAccents(plain), ...stems.flatMap(backwards)])];
});

interface Word extends Stretch {
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

  return (text) => {
    const words = tokensOf(text).flatMap(wordsOf);
    const bits = words.map(({ forms }) => bitsOf(forms));
    for (const { run, bit } of long)
      for (let at = 0; at + run.terms.length <= words.length; at++)
        if (run.terms.every((_, i) => holds(words[at + i]?.forms ?? [], run, i)))
          run.terms.forEach((_, i) => (bits[at + i] = (bits[at + i] ?? 0) | bit));
    return words.map(({ start, end, forms }, i) => ({
      start,
      end,
      term: forms[0] ?? '',
      bits: bits[i] ?? 0,
    }));
  };
}

const holds = (forms: readonly string[], { terms, prefix }: Run, i: number): boolean => {
  const term = terms[i] ?? '';
  return prefix && i === terms.length - 1
    ? forms.some((form) => form.startsWith(term))
    : forms.includes(term);
};

/** Letters written without spaces give a word for each pair, as in the index. */
function wordsOf({ start, end, plain, spaceless }: Token): readonly Word[] {
  if (!spaceless) return [{ start, end, forms: formsOf(plain) }];
  const letters = [...plain];
  if (letters.length < 2) return [{ start, end, forms: [plain] }];
  let at = start;
  return letters.slice(1).map((letter, i) => {
    const first = letters[i] ?? '';
    const word = {
      start: at,
      end: Math.min(at + first.length + letter.length, end),
      forms: [first + letter],
    };
    at += first.length;
    return word;
  });
}
