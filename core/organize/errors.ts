import { defineError } from '../shared/errors.ts';

export const alreadyRunning = defineError(
  'conflict',
  'already_running',
  'A reorganization is running. Wait until it has finished.',
);
