import { defineError } from '../shared/errors.ts';

export const hiddenLocked = defineError(
  'forbidden',
  'hidden_locked',
  'Listing hidden objects needs a valid unlock token.',
);
