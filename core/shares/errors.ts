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
  'There were too many wrong passwords. Wait as long as Retry-After says, then try again.',
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
export const shareQuota = defineError(
  'conflict',
  'share_quota',
  'This link accepts no more files. Ask the owner to raise its limit.',
);
export const tooManyUploads = defineError(
  'too-frequent',
  'rate_limited',
  'Too many files are being uploaded by this link at the moment. Try again in a few seconds.',
);
