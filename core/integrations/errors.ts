import { defineError } from '../shared/errors.ts';

export const notConfigured = defineError(
  'conflict',
  'not_configured',
  'Nothing is connected here yet.',
);
export const inUse = defineError(
  'conflict',
  'in_use',
  'Files lie in this bucket. Move them back first.',
);
