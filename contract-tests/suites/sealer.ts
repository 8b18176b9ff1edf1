import { expect } from 'chai';
import fc from 'fast-check';
import type { Sealer } from '../../ports/secrets.ts';

/** The contract of every Sealer. `open` creates one with the key. */
export function sealerContract(open: (key: string) => Sealer): void {
  const mine = open('k'.repeat(40));
  const other = open('o'.repeat(40));

  it('A sealed text opens to the same text, and is never sealed to the same bytes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [first, second] = [mine.seal(text), mine.seal(text)];
        expect(mine.open(first)).to.equal(text);
        expect(first).not.to.equal(second);
        if (text.length > 8) expect(first).not.to.include(text);
      }),
    );
  });

  it('An altered or foreign ciphertext does not open: the result is undefined', () => {
    const seal = mine.seal('secret');
    expect(other.open(seal)).to.equal(undefined);
    for (const changed of [
      '',
      'x',
      seal.slice(0, -2),
      `${seal.slice(0, 20)}${seal[20] === 'A' ? 'B' : 'A'}${seal.slice(21)}`,
      seal.split('.')[1]!,
      // The same bytes in another encoding: the last character has unused bits.
      ...[...'AQgw_-'].map((letter) => seal.slice(0, -1) + letter).filter((each) => each !== seal),
      `${seal}=`,
      `${seal}.x`,
      `${seal}\n`,
    ])
      expect(mine.open(changed), changed).to.equal(undefined);
  });
}
