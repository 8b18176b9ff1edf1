import { defineError } from '../shared/errors.ts';

export const tooManyStreams = defineError(
  'rate-limited',
  'too_many_streams',
  'Too many event streams are open. Close one, or poll instead.',
);
