import { defineError } from '../shared/errors.ts';

export const noBucket = defineError(
  'conflict',
  'not_configured',
  'No bucket is connected. Connect one before you move files.',
);
export const migrationRunning = defineError(
  'conflict',
  'already_running',
  'Your files are being moved. Wait until the move has finished, or stop it.',
);
