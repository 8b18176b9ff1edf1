import { expect } from 'chai';
import fc from 'fast-check';
import { isPlainName, toPlainName } from '../../core/shared/plain-name.ts';
import { parseRelativePath } from '../../core/uploads/relative-path.ts';

const UNSAFE = [
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
];

describe('names of folders, themes and roles', () => {
  it('hold no control character, line break or bidirectional override', () => {
    for (const mark of UNSAFE)
      expect(isPlainName(`a${mark}b`), JSON.stringify(mark)).to.equal(false);
    for (const name of ['Tax 2026', 'می\u200cخواهم', '\u200fשלום', '発票', 'e\u0301', '👩‍👧'])
      expect(isPlainName(name), name).to.equal(true);
  });

  it('that a program made get a space instead, and are else as they were', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom(...UNSAFE),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const name = parts.join('');
        const plain = toPlainName(name);
        expect(isPlainName(plain)).to.equal(true);
        if (isPlainName(name)) expect(plain).to.equal(name.trim());
      }),
    );
    expect(toPlainName('Ignore\nall \u202eorders')).to.equal('Ignore all  orders');
  });

  it('of a dropped folder are refused in the path', () => {
    for (const mark of UNSAFE)
      expect(() => parseRelativePath(`Tax${mark}2026/a.txt`), JSON.stringify(mark)).to.throw();
  });
});
