import { expect } from 'chai';
import fc from 'fast-check';
import { alignWords } from '../../core/processing/align-words.ts';
import { mergeLines } from '../../core/processing/text-places.ts';
import type { PlacedWord } from '../../ports/word-places.ts';

const word = (text: string, n = 0): PlacedWord => ({
  text,
  left: n / 100,
  top: 0,
  width: 0.01,
  height: 0.01,
});

const letters = fc.string({
  unit: fc.constantFrom(...'abcdefgживо合ﬁé😀'),
  minLength: 1,
  maxLength: 9,
});

describe('words of a page in its text', () => {
  it('are all found, at their code points, however lines are joined', () => {
    const gap = fc.constantFrom(' ', '\n', '\n\n', '  ', '\u00ad ', ' - ');
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, gap), { maxLength: 40 }), (parts) => {
        const text = parts.map(([each, after]) => each + after).join('');
        const words = parts.map(([each], n) => word(each, n));
        const points = Array.from(text);
        const aligned = alignWords(text, words);
        expect(aligned.map((each) => each.word)).to.deep.equal(words);
        expect(aligned.map(({ start, end }) => points.slice(start, end).join(''))).to.deep.equal(
          parts.map(([each]) => each),
        );
      }),
    );
  });

  it('are found where a hyphen at the end of a line was dropped', () => {
    const aligned = alignWords('The agreement holds.', [
      word('The'),
      word('agree-'),
      word('ment'),
      word('holds.'),
    ]);
    expect(aligned.map(({ start, end }) => [start, end])).to.deep.equal([
      [0, 3],
      [4, 9],
      [9, 13],
      [14, 20],
    ]);
  });

  it('that are not in the text are left out, and the others are found, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, fc.boolean()), { maxLength: 30 }), (parts) => {
        const text = parts.flatMap(([each, isIn]) => (isIn ? [`(${each})`] : [])).join(' ');
        const words = parts.map(([each, isIn]) => word(isIn ? `(${each})` : '###'));
        const aligned = alignWords(text, words);
        expect(aligned).to.have.length(parts.filter(([, isIn]) => isIn).length);
        aligned.forEach(({ start }, n) => expect(start).to.be.at.least(aligned[n - 1]?.end ?? 0));
      }),
    );
  });
});

describe('boxes of words', () => {
  it('are merged by line, and are within the page', () => {
    const at = (left: number, top: number): PlacedWord => ({
      text: 'x',
      left,
      top,
      width: 0.1,
      height: 0.02,
    });
    expect(
      mergeLines([at(0.7, 0.1), at(0.85, 0.101), at(0.1, 0.13), at(0.25, 0.13)]),
    ).to.deep.equal([
      [0.7, 0.1, 0.25, 0.021],
      [0.1, 0.13, 0.25, 0.02],
    ]);
    expect(mergeLines([at(-0.05, 0.99)])).to.deep.equal([[0, 0.99, 0.05, 0.01]]);
    expect(mergeLines([])).to.deep.equal([]);
  });
});
