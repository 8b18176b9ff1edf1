import { defineError } from '../shared/errors.ts';
import { MOST_ROLES } from './role.ts';

export const slugTaken = defineError(
  'conflict',
  'already_exists',
  'This slug is taken, by another role or by the interface itself.',
);
export const tooManyRoles = defineError(
  'conflict',
  'too_many_roles',
  `An owner has at most ${MOST_ROLES} roles of their own.`,
);
export const roleLocked = defineError(
  'forbidden',
  'forbidden',
  'A built-in role can not be changed.',
);
