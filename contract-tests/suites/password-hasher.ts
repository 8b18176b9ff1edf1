import { expect } from 'chai';
import type { PasswordHasher } from '../../ports/secrets.ts';

/** The contract of every PasswordHasher. */
export function passwordHasherContract(open: () => PasswordHasher): void {
  const passwords = open();

  it('A hash is matched by its own password and by no other', async () => {
    const hash = await passwords.hash('1234 é😀');
    expect(await passwords.matches('1234 é😀', hash)).to.equal(true);
    for (const other of ['1234', '1234 é', '', '1234 é😀 '])
      expect(await passwords.matches(other, hash)).to.equal(false);
  });

  it('The same password hashes differently each time', async () => {
    expect(await passwords.hash('1234')).not.to.equal(await passwords.hash('1234'));
  });
}
