import { MAX_PASSKEYS } from '../../ports/sign-in.ts';
import { defineError } from '../shared/errors.ts';

/**
 * Every way to sign in fails with this error. It does not say whether the account, the credential or the proof was wrong.
 */
export const signInFailed = defineError(
  'unauthenticated',
  'sign_in_failed',
  'The sign-in failed. Check what you entered, or use another way to sign in.',
);
export const lastSignIn = defineError(
  'conflict',
  'last_sign_in',
  'This is the last way to sign in. Add another one first.',
);
export const wrongPassword = defineError(
  'forbidden',
  'wrong_password',
  'The current password is missing or wrong.',
);
export const noPassword = defineError('conflict', 'not_configured', 'No password is set.');
export const tooManyWrongPasswords = defineError(
  'rate-limited',
  'rate_limited',
  'There were too many wrong passwords. Wait as long as Retry-After says, then try again.',
);
export const passkeysUnavailable = defineError(
  'conflict',
  'passkeys_unavailable',
  'Browsers allow passkeys only at an address with a host name: over https, or on localhost.',
);
/** Says neither what was wrong nor whether another owner has the credential. */
export const passkeyRejected = defineError(
  'invalid-argument',
  'passkey_rejected',
  'The passkey could not be verified. Begin again.',
);
export const tooManyPasskeys = defineError(
  'conflict',
  'too_many_passkeys',
  `You can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
);
export const oidcNotConfigured = defineError(
  'not-found',
  'oidc_not_configured',
  'No identity provider is configured.',
);
export const oidcUnknown = defineError(
  'forbidden',
  'oidc_unknown',
  'No account here belongs to this sign-in. Sign in another way, then link it to your account.',
);
export const oidcTaken = defineError(
  'conflict',
  'oidc_taken',
  'This sign-in already belongs to another account here.',
);
export const oidcDenied = defineError(
  'forbidden',
  'oidc_denied',
  'The sign-in was cancelled at the identity provider.',
);
export const oidcExpired = defineError(
  'unauthenticated',
  'oidc_expired',
  'The sign-in took too long, was already used or was started in another browser. Start again.',
);
export const oidcUnavailable = defineError(
  'unavailable',
  'oidc_unavailable',
  'The identity provider is not available. Try again shortly.',
);
export const notLinked = defineError(
  'conflict',
  'not_configured',
  'No account of the identity provider is linked.',
);
