import { defineError } from '../shared/errors.ts';

export const nameInUse = defineError(
  'conflict',
  'already_exists',
  'A folder with this name already exists.',
);
