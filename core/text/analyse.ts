import { TERM_GAP } from '../../ports/search.ts';
import { normalizeCase } from './fold.ts';
import { documentForms } from './stems.ts';
import { tokensOf } from './tokens.ts';

/** Numbers with digit grouping: 1,000,000 is also found as 1000000, and 1,234.56 as 1234.56. */
const GROUPED = /(?<![\d.,])(\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+)(?:[.,](\d{1,2}))?(?!\d)/g;

/**
 * The index terms of a text, in order: one per word, bigrams for scripts without spaces. Alternative spellings of a
 * word follow after a gap.
 *
 * @param language ISO 639-1 of the text, '' if unknown. It matters for Latin letters only.
 */
export function termsOf(text: string, language: string): readonly string[] {
  const terms: string[] = [];
  const others = new Set<string>();
  for (const { plain, spaceless } of tokensOf(text)) {
    if (spaceless) {
      terms.push(...pairsOf(plain), lastOf(plain));
      continue;
    }
    const [chief, ...more] = documentForms(plain, language);
    if (chief !== undefined) terms.push(chief);
    for (const other of more) others.add(other);
  }
  const numbers = [...text.matchAll(GROUPED)].map(ungrouped);
  const spelled = [...[...others].map((other) => [other]), ...numbers];
  return spelled.length ? [...terms, ...spelled.flatMap((other) => [TERM_GAP, ...other])] : terms;
}

/** A grouped number in ungrouped form: its integer part and its decimals. */
const ungrouped = ([, complete = '', decimals]: readonly (
  string | undefined
)[]): readonly string[] => [
  normalizeCase(complete).replace(/[^\p{N}]/gu, ''),
  ...(decimals === undefined ? [] : [decimals]),
];

/** Overlapping bigrams of code points; the text itself if it is a single one. */
export function pairsOf(run: string): readonly string[] {
  const letters = [...run];
  if (letters.length < 2) return [];
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

/** Indexed after the bigrams, so that each code point begins some term and is found by prefix. */
export const lastOf = (run: string): string => [...run].at(-1) ?? run;

/** The grouped number that a text consists of: its integer part and its decimals. */
export function parseGroupedNumber(text: string): readonly string[] | undefined {
  const [number] = text.matchAll(GROUPED);
  return number?.[0].length === text.length ? ungrouped(number) : undefined;
}
