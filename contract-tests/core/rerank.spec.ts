import { expect } from 'chai';
import fc from 'fast-check';
import { createReranker, termSimilarities } from '../../core/search/rerank.ts';
import type { QueryTerm } from '../../ports/search.ts';

const stem = () =>
  fc
    .array(fc.constantFrom('ab', 'cd', 'a', 'miet', 'e', 'vertrag', '房'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(''));
const atoms = (): fc.Arbitrary<readonly QueryTerm[]> =>
  fc.array(
    fc.array(
      fc.record({
        terms: fc.array(stem(), { minLength: 1, maxLength: 2 }),
        prefix: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 4 },
  );

/** A reference implementation that checks every term. */
function plainly(all: readonly QueryTerm[], weights: readonly number[], row: string, bits: number) {
  const terms = row.split(' ');
  const forms = all.map((runs) => runs.flatMap(({ terms: t }) => (t.length === 1 ? t : [])));
  const held = (atom: number) => (bits & (2 ** atom)) !== 0;
  const places = forms.map((some) =>
    terms.flatMap((term, at) => (some.includes(term) ? [at] : [])),
  );
  const resembling = termSimilarities(forms.map(([first = '']) => first));
  let [resembled, together] = [0, 0];
  for (const [atom, weight] of weights.entries()) {
    const shares = terms
      .flatMap((term) => resembling(term))
      .flatMap((each) => (each.atom === atom ? [each.share] : []));
    if (!held(atom)) resembled += weight * Math.max(0, ...shares);
    const next = weights[atom + 1];
    const ideographs = [atom, atom + 1].some((n) => /^[^\0-\u0dff]/.test(forms[n]?.[0] ?? ''));
    const near = places[atom]?.some((a) => places[atom + 1]?.some((b) => Math.abs(a - b) <= 2));
    if (next !== undefined && !ideographs && near) together += Math.min(weight, next);
  }
  return { resembled, gain: 0.9 * resembled + 0.3 * together };
}

describe('reranking', () => {
  it('has the same result whether a row is split or rejected by its prefix', () =>
    fc.assert(
      fc.property(atoms(), fc.array(stem(), { maxLength: 12 }), fc.nat(15), (all, terms, more) => {
        const weights = all.map((_, atom) => 1 + atom / 3);
        // All matches of a row are in its bits; its object's name may add more.
        const own = all.reduce(
          (bits, runs, atom) =>
            runs.some(({ terms: [first = '', ...rest] }) => !rest.length && terms.includes(first))
              ? bits | (2 ** atom)
              : bits,
          0,
        );
        const bits = own | (more & (2 ** all.length - 1));
        const row = terms.join(' ');
        const reported = createReranker(all, weights)(row, bits);
        const expected = plainly(all, weights, row, bits);
        expect(reported.gain).to.be.closeTo(expected.gain, 1e-9);
        expect(reported.resembled).to.be.closeTo(expected.resembled, 1e-9);
      }),
      { numRuns: 3_000 },
    ));
});
