import { defineError } from './errors.ts';

/** The same error for a missing resource and a foreign one, so that they cannot be distinguished. */
export const notFound = defineError('not-found', 'not_found', 'Not found.');
export const forbidden = defineError('forbidden', 'forbidden', 'This token may not do that.');
export const emptyText = defineError('invalid-argument', 'empty_text', 'The text is empty.');
export const unavailable = defineError(
  'unavailable',
  'unavailable',
  'The service can not do this right now. Try again shortly.',
);
export const deadlineExceeded = defineError(
  'deadline',
  'deadline',
  'The answer was not ready in time. Ask a shorter question or narrow the selection.',
);
