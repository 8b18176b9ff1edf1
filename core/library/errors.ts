import { defineError } from '../shared/errors.ts';
import { MAX_VIEWS } from './limits.ts';

export const nameInUse = defineError(
  'conflict',
  'already_exists',
  'A folder with this name already exists.',
);
export const tooManyViews = defineError(
  'conflict',
  'too_many_views',
  `You can have at most ${MAX_VIEWS} saved views. Delete one first.`,
);
