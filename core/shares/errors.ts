import { defineError } from '../shared/errors.ts';

export const passwordRequired = defineError(
  'unauthenticated',
  'password_required',
  'This share is locked. Unlock it with its password first.',
);
export const wrongPassword = defineError('forbidden', 'wrong_password', 'The password is wrong.');
export const passwordEntryLocked = defineError(
  'too-frequent',
  'rate_limited',
  'Too many wrong passwords. Pause and repeat.',
);
export const noPassword = defineError(
  'conflict',
  'not_configured',
  'This share asks for no password.',
);
export const viewersOnly = defineError(
  'forbidden',
  'forbidden',
  'This share is for looking at it only.',
);
export const hiddenUnshared = defineError(
  'conflict',
  'is_hidden',
  'The object is hidden. Show it before you share it.',
);
export const tooManyShares = defineError(
  'conflict',
  'too_many_shares',
  'There are too many shares. Revoke some that are not needed any more.',
);
