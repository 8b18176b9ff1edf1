import { defineError } from '../shared/errors.ts';

export const nameTaken = defineError(
  'conflict',
  'already_exists',
  'A folder with this name already exists.',
);
