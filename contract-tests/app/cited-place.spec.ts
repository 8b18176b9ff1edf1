import { expect } from 'chai';
import { findPlace, type Citation } from '../../web/screens/viewer/text/cited-place.ts';
import {
  codePointsBefore,
  passageAround,
  placeOfHash,
} from '../../web/screens/viewer/text/range.ts';

const TEXT =
  'An 🌊 introduction.\n\nThe rent is 500 euros a month.\nIt is due on the third.\n\nThe end.';
const SNIPPET = 'The rent is 500 euros';

const citation = (text: string): Citation => {
  const start = codePointsBefore(text, text.indexOf(SNIPPET));
  const range = { char_start: start, char_end: start + SNIPPET.length };
  return { ...range, object_id: '', index: 3, snippet: SNIPPET } as Citation;
};
const rangeOf = ({ char_start: start, char_end: end }: Citation) => ({ start, end });
const words = (text: string, found: ReturnType<typeof findPlace>) =>
  found === 'gone' ? found : text.slice(found.words.start, found.words.end);

describe('the place of a citation', () => {
  it('is read from the address, in code points', () => {
    expect(placeOfHash('#t=8123-8240')).to.deep.equal({ start: 8_123, end: 8_240 });
    for (const hash of ['', '#t=5-5', '#t=9-3', '#t=-1-3', '#t=1-2x', '#page-3'])
      expect(placeOfHash(hash), hash).to.equal(undefined);
    const cited = citation(TEXT);
    const found = findPlace(TEXT, rangeOf(cited), undefined);
    expect(words(TEXT, found)).to.equal(SNIPPET);
  });

  it('is surrounded by its paragraph, of at most 1 000 characters', () => {
    const found = findPlace(TEXT, rangeOf(citation(TEXT)), citation(TEXT));
    if (found === 'gone') throw new Error('It is there.');
    expect(TEXT.slice(found.passage.start, found.passage.end)).to.equal(
      'The rent is 500 euros a month.\nIt is due on the third.',
    );
    const long = 'word '.repeat(2_000);
    const { start, end } = passageAround(long, { start: 5_000, end: 5_010 });
    expect(end - start).to.be.at.most(1_000);
    expect(start).to.be.below(5_000);
    expect(end).to.be.above(5_010);
  });

  it('is found again in a text that has changed, which is said', () => {
    const changed = `A new first paragraph.\n\n${TEXT}`;
    const found = findPlace(changed, rangeOf(citation(TEXT)), citation(TEXT));
    expect(words(changed, found)).to.equal(SNIPPET);
    expect(found).to.include({ hasMoved: true, index: 3 });
  });

  it('is gone when its words are', () => {
    expect(findPlace('Something else entirely.', { start: 0, end: 21 }, citation(TEXT))).to.equal(
      'gone',
    );
    expect(findPlace('Short.', { start: 90, end: 99 }, undefined)).to.equal('gone');
  });
});
