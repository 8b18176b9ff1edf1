import type { Owner } from '../../ports/identity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';

/**
 * The user handle of an owner's passkeys (Web Authentication level 3, §14.6.1): always the same, and without the owner's
 * id, which authenticators would show to others. It does not depend on the installation's key, so passkeys outlive a new
 * key. The 64 hex digits are valid base64url: 48 bytes.
 */
export const userHandleOf = (digests: SecretDigest, { id }: Pick<Owner, 'id'>): string =>
  digests.digest(`passkey user handle of ${id}`);
