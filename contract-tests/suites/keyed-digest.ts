import { expect } from 'chai';
import fc from 'fast-check';
import type { KeyedDigest } from '../../ports/secrets.ts';

/** The contract of every KeyedDigest. `open` creates one with the key. */
export function keyedDigestContract(open: (key: string) => KeyedDigest): void {
  const [mine, again, other] = [open('k'.repeat(40)), open('k'.repeat(40)), open('o'.repeat(40))];

  it('The same text has the same digest, and a different one under another key or for another purpose', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (text, one, two) => {
        const digest = mine.digest(one, text);
        expect(digest).to.match(/^[0-9a-f]{64}$/);
        expect(again.digest(one, text)).to.equal(digest);
        expect(other.digest(one, text)).not.to.equal(digest);
        expect(mine.digest(one, `${text}.`)).not.to.equal(digest);
        if (one !== two) expect(mine.digest(two, text)).not.to.equal(digest);
      }),
    );
  });
}
