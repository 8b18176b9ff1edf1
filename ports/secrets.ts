/** Digests of long random secrets (bearer tokens, unlock tokens): fast, because they cannot be guessed. */
export interface SecretDigest {
  /** SHA-256 of the secret's UTF-8 bytes, in lower-case hex. */
  digest(secret: string): string;
  /** Compares in constant time. */
  matches(secret: string, digest: string): boolean;
}

/**
 * Digests of short secrets that people choose. Slow on purpose, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/password-hasher.ts):
 * - A hash is matched by its own password and by no other.
 * - The same password hashes differently each time.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  matches(password: string, hash: string): Promise<boolean>;
}

/**
 * Whether a stored hash is not sealed. Versions before schema 2 stored PHC strings, which begin with `$`. No sealed text
 * does.
 */
export const isUnsealedHash = (stored: string): boolean => stored.startsWith('$');

/**
 * Keyed digests (HMAC). Without the installation's key a digest cannot be used to check guesses of its input.
 *
 * Contract (contract-tests/suites/keyed-digest.ts):
 * - The same text has the same digest, and a different one under another key or for another purpose.
 */
export interface KeyedDigest {
  /** 64 lower-case hex digits. `purpose` separates the uses of the installation's key from each other. */
  digest(purpose: string, text: string): string;
}

/**
 * Encrypts small secrets with the installation key (AES-256-GCM).
 *
 * Contract (contract-tests/suites/sealer.ts):
 * - A sealed text opens to the same text, and is never sealed to the same bytes twice.
 * - An altered or foreign ciphertext does not open: the result is undefined.
 */
export interface Sealer {
  seal(plain: string): string;
  open(sealed: string): string | undefined;
}
