import { defineError } from '../shared/errors.ts';

export const alreadyRunning = defineError(
  'conflict',
  'already_running',
  'Your objects are being put into folders right now. Wait until that has ended.',
);
