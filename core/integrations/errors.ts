import { defineError } from '../shared/errors.ts';

export const nothingConnected = defineError(
  'conflict',
  'not_configured',
  'Nothing is connected here yet.',
);
export const notAvailable = defineError(
  'conflict',
  'not_available',
  'This service can not be connected to that yet.',
);
