import { expect } from 'chai';
import fc from 'fast-check';
import { createTermMatcher } from '../../core/search/index.ts';
import {
  backwards,
  endingWith,
  queryForms,
  tokensOf,
  withoutAccents,
} from '../../core/text/index.ts';
import type { QueryTerm } from '../../ports/search.ts';

const WORDS = [
  ...['running', 'runs', 'ran', 'dying', 'dies', 'die', 'went', 'gone', 'go', 'Kaltmiete', 'Miete'],
  ...[
    'mieten',
    'Öl',
    'Oel',
    'ol',
    'über',
    'contrats',
    'contrat',
    'é',
    'e',
    'x',
    'договоры',
    'договор',
  ],
  ...['людей', 'человек', 'a', 'as', 'running-mate', 'C++', '日本語', '本'],
];
const word = fc.constantFrom(...WORDS);
const forms = word.map((each) => [...queryForms(tokensOf(each)[0]?.plain ?? '')]);

const atom: fc.Arbitrary<QueryTerm> = fc.oneof(
  forms.map((all): QueryTerm => all.map((form) => ({ terms: [form], prefix: false }))),
  forms.map((all): QueryTerm => [{ terms: [(all[0] ?? 'x').slice(0, 2)], prefix: true }]),
  forms.map((all): QueryTerm => [{ terms: [endingWith(all[0] ?? 'x')], prefix: true }]),
  fc
    .tuple(forms, forms)
    .map(([a, b]): QueryTerm => [{ terms: [a[0] ?? 'x', b[0] ?? 'x'], prefix: false }]),
);

/** All forms of every word, with the query terms they match. */
function plainly(text: string, atoms: readonly QueryTerm[]): readonly number[] {
  const words = tokensOf(text).map(({ plain }) => {
    const stems = queryForms(plain);
    return [...stems, withoutAccents(plain), ...stems.flatMap(backwards)];
  });
  const bits = words.map(() => 0);
  for (const [i, runs] of atoms.entries())
    for (const { terms, prefix } of runs)
      for (let at = 0; at + terms.length <= words.length; at++) {
        const fits = terms.every((term, k) =>
          words[at + k]?.some((form) =>
            prefix && k === terms.length - 1 ? form.startsWith(term) : form === term,
          ),
        );
        if (fits) terms.forEach((_, k) => (bits[at + k] = (bits[at + k] ?? 0) | (2 ** i)));
      }
  return bits;
}

describe('term matches', () => {
  it('are found wherever any form of a word matches, including words that are not stemmed', () => {
    const spaced = WORDS.filter((each) => !/[日本]/.test(each));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...spaced), { maxLength: 12 }),
        fc.array(atom, { minLength: 1, maxLength: 4 }),
        (words, atoms) => {
          const text = words.join(' ');
          const found = createTermMatcher(atoms)(text).map(({ bits }) => bits);
          expect(found).to.deep.equal(plainly(text, atoms));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
