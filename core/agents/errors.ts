import { defineError } from '../shared/errors.ts';
import { MAX_ROLES } from './role.ts';

export const slugInUse = defineError(
  'conflict',
  'already_exists',
  'This slug is already in use or reserved. Choose another one.',
);
export const tooManyRoles = defineError(
  'conflict',
  'too_many_roles',
  `You can have at most ${MAX_ROLES} custom roles. Delete one first.`,
);
export const roleLocked = defineError(
  'forbidden',
  'forbidden',
  'A built-in role cannot be changed.',
);
