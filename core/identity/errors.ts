import { defineError } from '../shared/errors.ts';

export const notAuthenticated = defineError('unauthenticated', 'unauthorized', 'Not authenticated');
export const signInAgain = defineError(
  'forbidden',
  'sign_in_again',
  'This needs a recent sign-in. Sign in again, then repeat it.',
);
export const rateLimited = defineError(
  'rate-limited',
  'rate_limited',
  'Too many requests. Pause and repeat.',
);
export const planLimit = defineError(
  'quota-exceeded',
  'plan_limit',
  'The limit of this plan is used up.',
);
