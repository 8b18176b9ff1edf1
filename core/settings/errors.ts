import { defineError } from '../shared/errors.ts';

export const uiTooLarge = defineError(
  'invalid-argument',
  'ui_too_large',
  '`ui` is too large: at most 16384 bytes as JSON, at most 64 levels deep.',
);
