import { defineError } from '../shared/errors.ts';

export const wrongPin = defineError('forbidden', 'wrong_pin', 'The PIN is missing or wrong.');
export const pinNotSet = defineError('conflict', 'not_configured', 'No PIN is set.');
export const pinEntryLocked = defineError(
  'rate-limited',
  'rate_limited',
  'Too many wrong PINs in a row. PIN entry is locked for a while.',
);
