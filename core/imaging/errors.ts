import { defineError } from '../shared/errors.ts';

export const tooManyWaiting = defineError(
  'rate-limited',
  'too_many_operations',
  'Too many operations on pictures are waiting. Repeat once some of them have ended.',
);
