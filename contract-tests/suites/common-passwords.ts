import { expect } from 'chai';
import type { CommonPasswords } from '../../ports/common-passwords.ts';

/** The contract of every CommonPasswords. */
export function commonPasswordsContract(open: () => CommonPasswords): void {
  const passwords = open();

  it('`has` returns whether the password is among the 10 000 most used, ignoring case', async () => {
    for (const common of ['123456', 'password', 'QWERTY', 'LetMeIn', 'mailcreated5240'])
      expect(await passwords.has(common), common).to.equal(true);
    for (const rare of ['', ' password', 'passwörd', 'constructor ', 'seven crooked umbrellas'])
      expect(await passwords.has(rare), rare).to.equal(false);
  });
}
