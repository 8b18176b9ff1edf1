import { defineError } from '../shared/errors.ts';

export const windowTooFull = defineError(
  'meaningless',
  'window_too_full',
  'The window contains too many occurrences. Request a shorter one.',
);
export const tooManyExceptions = defineError(
  'conflict',
  'too_many_exceptions',
  'Too many occurrences of this series are modified. Split the series.',
);
export const notACalendar = defineError(
  'meaningless',
  'not_a_calendar',
  'The file is not a calendar (iCalendar, RFC 5545).',
);
