import { defineError } from '../shared/errors.ts';

export const keyInProgress = defineError(
  'conflict',
  'idempotency_in_progress',
  'The first request with this idempotency key is still running.',
);
export const keyReused = defineError(
  'conflict',
  'idempotency_key_reused',
  'This idempotency key was used for another request.',
);
