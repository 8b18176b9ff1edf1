import { expect } from 'chai';
import { zxcvbnCommonPasswords } from '../adapters/node/common-passwords.ts';
import { commonPasswordsContract } from './suites/common-passwords.ts';

describe('zxcvbn: CommonPasswords', () => {
  commonPasswordsContract(zxcvbnCommonPasswords);

  it('has the first 10 000 of the list and no more', async () => {
    const { rankedPasswords: ranked } = await import('../adapters/node/common-password-list.ts');
    const passwords = zxcvbnCommonPasswords();
    for (const rank of [0, 1, 5_000, 9_999])
      expect(await passwords.has(ranked[rank] ?? ''), `${rank}`).to.equal(true);
    for (const rank of [10_000, 20_000, ranked.length - 1])
      expect(await passwords.has(ranked[rank] ?? ''), `${rank}`).to.equal(false);
    // Ordered by frequency.
    expect(ranked.slice(0, 4)).to.deep.equal(['123456', 'password', '12345678', 'qwerty']);
  });
});
