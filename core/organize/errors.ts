import { defineError } from '../shared/errors.ts';

export const alreadyRunning = defineError(
  'conflict',
  'already_running',
  'A reorganization is running. Wait until it has finished.',
);
export const notADryRun = defineError(
  'conflict',
  'not_a_dry_run',
  'Only a finished dry run can be applied, and only once.',
);
