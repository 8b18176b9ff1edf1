import { isUnsealedHash, type PasswordHasher, type Sealer } from '../../ports/secrets.ts';

/**
 * Hashes sealed with the installation's key: without it, a PIN or a password cannot be guessed from a backup or a stolen
 * database. Hashes that were stored before they were sealed are accepted.
 */
export const sealedHasher = (hasher: PasswordHasher, sealer: Sealer): PasswordHasher => ({
  hash: async (password) => sealer.seal(await hasher.hash(password)),
  matches: async (password, stored) => {
    const hash = isUnsealedHash(stored) ? stored : sealer.open(stored);
    if (hash !== undefined) return hasher.matches(password, hash);
    // Sealed with another key: nothing matches, and the comparison takes as long as any other.
    await hasher.hash(password);
    return false;
  },
});
