import { defineError } from '../shared/errors.ts';

export const nameTaken = defineError(
  'conflict',
  'already_exists',
  'A folder of this name is already there.',
);
