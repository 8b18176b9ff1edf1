import { defineError } from '../shared/errors.ts';

export const noBucket = defineError(
  'conflict',
  'not_configured',
  'No bucket is connected that files could be moved to or from.',
);
export const filesMoveAlready = defineError(
  'conflict',
  'already_running',
  'Your files are being moved right now. Wait until that has ended, or stop it.',
);
