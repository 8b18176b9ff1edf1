import { tooLarge } from '../objects/index.ts';
import { defineError, type ErrorDetails } from '../shared/errors.ts';
import { sizeInWords } from './size.ts';

export const passwordRequired = defineError(
  'unauthenticated',
  'password_required',
  'This share is locked. Unlock it with its password first.',
);
export const wrongPassword = defineError('forbidden', 'wrong_password', 'The password is wrong.');
export const passwordEntryLocked = defineError(
  'rate-limited',
  'rate_limited',
  'There were too many wrong passwords. Wait as long as Retry-After says, then try again.',
);
export const noPassword = defineError(
  'conflict',
  'not_configured',
  'This share does not require a password.',
);
export const viewersOnly = defineError('forbidden', 'forbidden', 'This share is read-only.');
export const hiddenNotShareable = defineError(
  'conflict',
  'is_hidden',
  'The object is hidden. Show it before you share it.',
);
export const tooManyShares = defineError(
  'conflict',
  'too_many_shares',
  'You have too many shares. Revoke shares you no longer need.',
);
export const shareQuota = defineError(
  'conflict',
  'share_quota',
  'This link accepts no more files. Ask the owner to raise its limit.',
);
export const tooManyUploads = defineError(
  'rate-limited',
  'rate_limited',
  'Too many files are being uploaded through this link. Try again in a few seconds.',
);
export const tooSlow = defineError(
  'too-slow',
  'request_timeout',
  'The request body arrived too slowly. Send it over a faster connection, or less at once.',
);
export const gaveWay = (details: ErrorDetails, retryAfter: number) =>
  tooSlow(
    details,
    retryAfter,
    'Too many files are being uploaded through this link, and this upload was the slowest. Try again in a few seconds.',
  );
/** `left`: bytes that the share still accepts. */
export const moreThanLeft = (left: number) =>
  tooLarge(
    {},
    undefined,
    left === 0
      ? 'This link accepts no more bytes. Ask the owner to raise its limit.'
      : `The files are larger than what this link still accepts, ${sizeInWords(left)}. Send smaller ones, or ask the owner to raise the limit.`,
  );
