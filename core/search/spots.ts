import type { Atom, Run } from '../../ports/search.ts';
import { pairsOf } from '../text/analyse.ts';
import type { Stretch } from '../text/code-points.ts';
import { withoutAccents } from '../text/fold.ts';
import { queryForms } from '../text/stems.ts';
import { remembering } from '../text/remembering.ts';
import { tokensOf, type Token } from '../text/tokens.ts';

const WORDS_KEPT = 10_000;

/** A word of a text, and the atoms of a query found there. UTF-16 indices. */
export interface Spot extends Stretch {
  /** Its chief form, as an atom has it first. */
  readonly term: string;
  readonly bits: number;
}

interface Word extends Stretch {
  readonly plain: string;
  readonly forms: readonly string[];
}

/**
 * Finds the atoms in the text itself, not among its terms: a word is taken in every language it may be in, since the
 * one it was indexed in does not matter any more.
 */
export function spotter(atoms: readonly Atom[]): (text: string) => readonly Spot[] {
  const formsOf = remembering(WORDS_KEPT, (plain) => [
    ...new Set([...queryForms(plain), withoutAccents(plain)]),
  ]);
  const runs = atoms.flatMap((atom, i) => atom.map((run) => ({ run, bit: 2 ** i })));
  const short = runs.filter(({ run }) => run.terms.length === 1);
  const long = runs.filter(({ run }) => run.terms.length > 1);
  const bitsOf = remembering(WORDS_KEPT, (plain) =>
    short.reduce((bits, { run, bit }) => (holds(formsOf(plain), run, 0) ? bits | bit : bits), 0),
  );

  return (text) => {
    const words = tokensOf(text).flatMap((token) => wordsOf(token, formsOf));
    const bits = words.map(({ plain }) => bitsOf(plain));
    for (const { run, bit } of long)
      for (let at = 0; at + run.terms.length <= words.length; at++)
        if (run.terms.every((_, i) => holds(words[at + i]?.forms ?? [], run, i)))
          run.terms.forEach((_, i) => (bits[at + i] = (bits[at + i] ?? 0) | bit));
    return words.map(({ start, end, plain, forms }, i) => ({
      start,
      end,
      term: forms[0] ?? plain,
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
function wordsOf(
  { start, end, plain, spaceless }: Token,
  formsOf: (plain: string) => readonly string[],
): readonly Word[] {
  if (!spaceless) return [{ start, end, plain, forms: formsOf(plain) }];
  const pairs = pairsOf(plain);
  if (!pairs.length) return [{ start, end, plain, forms: [plain] }];
  let at = start;
  return pairs.map((pair) => {
    const word = { start: at, end: Math.min(at + pair.length, end), plain: pair, forms: [pair] };
    at += ([...pair][0] ?? '').length;
    return word;
  });
}
