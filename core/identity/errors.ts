import { defineError } from '../shared/errors.ts';

export const notAuthenticated = defineError('unauthenticated', 'unauthorized', 'Not authenticated');
export const rateLimited = defineError(
  'too-frequent',
  'rate_limited',
  'Too many requests. Pause and repeat.',
);
export const planLimit = defineError(
  'plan-exhausted',
  'plan_limit',
  'The limit of this plan is used up.',
);
